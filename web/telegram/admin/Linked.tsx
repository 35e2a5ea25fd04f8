import { isolated } from '@qatra/contract/lib/text'
import { type TelegramStatus, unlinkTelegram } from '@qatra/contract/telegram'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { useAction } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { CheckIcon, TelegramIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { mayUseGroup, telegramStatus } from './status.ts'

interface LinkedProps {
  status: TelegramStatus
  /** The account was linked on this page a moment ago. */
  isNew: boolean
  onUnlinked(): void
}

/** The linked account, with a button to unlink it. */
export function Linked({ status, isNew, onUnlinked }: LinkedProps) {
  const t = useT()
  const user = useUser()
  const [isAsked, setAsked] = useState(false)
  const { accountName, botName, isSimulated } = status
  const played = isSimulated && user ? `/simulator/telegram?${new URLSearchParams({ phone: user.phone })}` : null
  const url = played ?? (botName && `https://t.me/${botName}`)
  const name = accountName && isolated(accountName)
  const { unlink, busy, problem } = useUnlink(() => {
    setAsked(false)
    onUnlinked()
  })
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNew) heading.current?.focus({ preventScroll: true })
  }, [isNew])
  return (
    <section className="flex gap-4 pt-2 max-sm:flex-col">
      <span className="relative size-14 flex-none" aria-hidden="true">
        <span className="grid size-14 place-items-center rounded-full bg-gulf-soft text-gulf">
          <TelegramIcon size={28} />
        </span>
        <span className="absolute -end-0.5 -bottom-0.5 grid size-6 place-items-center rounded-full bg-aqua text-on-aqua ring-2 ring-surface">
          <CheckIcon size={14} />
        </span>
      </span>
      <div className="max-w-120">
        <h2 ref={heading} tabIndex={-1} className="text-heading text-balance wrap-break-word outline-none">
          {name ? t('telegramPage.linkedAs', { name }) : t('telegramPage.linked')}
        </h2>
        <p className="mt-1 text-ink-2">
          {t('telegramPage.linkedText')} {mayUseGroup(status, user) && t('telegramPage.answers')}
        </p>
        <div className="mt-4 flex flex-wrap gap-2.5">
          {url && (
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer"
              className="inline-flex min-h-9.5 items-center justify-center gap-2 rounded-m bg-well px-4.5 py-1 font-strong hover:bg-well-2 max-md:min-h-tap"
            >
              {t('telegramPage.open')}
            </a>
          )}
          <Button
            size="small"
            tone="danger"
            reason={user?.impersonatedBy ? t('telegramPage.others') : null}
            onClick={() => setAsked(true)}
          >
            {t('telegramPage.unlink')}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={isAsked}
        title={name ? t('telegramPage.unlink.titleOf', { name }) : t('telegramPage.unlink.title')}
        confirm={t('telegramPage.unlink')}
        cancel={t('telegramPage.unlink.keep')}
        tone="danger"
        busy={busy}
        error={problem}
        onConfirm={() => void unlink()}
        onCancel={() => setAsked(false)}
      >
        {t('telegramPage.unlink.text')}
      </ConfirmDialog>
    </section>
  )
}

function useUnlink(onDone: () => void) {
  const t = useT()
  const queries = useQueryClient()
  const { busy, problem, run } = useAction(({ code }) =>
    t(code === 'OFFLINE' ? 'telegramPage.offline' : 'telegramPage.failed'),
  )
  const unlink = () =>
    run(async () => {
      const status = await call(unlinkTelegram, {})
      onDone()
      queries.setQueryData(telegramStatus().queryKey, status)
      toast({ title: t('telegramPage.unlinked'), text: t('telegramPage.unlinkedText') })
    })
  return { unlink, busy, problem }
}
