import { isolated } from '@qatra/contract/lib/text'
import type { TelegramStatus } from '@qatra/contract/telegram'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from '../../app/page.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { Button } from '../../ui/Button.tsx'
import { TelegramIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Linked } from './Linked.tsx'
import { LinkSteps } from './LinkSteps.tsx'
import { NotificationPreferences } from './NotificationPreferences.tsx'
import { mayUseGroup, telegramStatus } from './status.ts'
import { type LinkCode, useRequestCode } from './use-ask-for-code.ts'

/** Polling interval: short while a code waits for Telegram. */
const everyMs = (isWaiting: boolean) => (isWaiting ? 2_000 : 30_000)

function TelegramPage() {
  const t = useT()
  const [code, setCode] = useState<LinkCode | null>(null)
  const query = useQuery({
    ...telegramStatus(),
    refetchInterval: ({ state }) => everyMs(code !== null && state.data?.isLinked !== true),
    refetchOnWindowFocus: 'always',
  })
  const { data } = query
  return (
    <AdminPageLayout title={t('telegramPage.title')} narrow>
      {query.error && (
        <p role="alert" className="mb-5 flex flex-wrap items-center gap-3 text-clay">
          {t(data ? 'telegramPage.stale' : 'admin.failed')}
          <Button size="small" onClick={() => void query.refetch()}>
            {t('admin.retry')}
          </Button>
        </p>
      )}
      {data ? <Known status={data} code={code} onCode={setCode} /> : !query.error && <Waiting />}
    </AdminPageLayout>
  )
}

function Waiting() {
  return (
    <div aria-hidden="true" className="grid gap-3 pt-2">
      <Skeleton className="size-14 rounded-full" />
      <Skeleton className="h-6 w-60" />
      <Skeleton className="h-12 w-full max-w-120" />
      <Skeleton className="h-11 w-36 rounded-m" />
    </div>
  )
}

interface KnownProps {
  status: TelegramStatus
  code: LinkCode | null
  onCode(code: LinkCode | null): void
}

function Known({ status, code, onCode }: KnownProps) {
  const t = useT()
  const user = useUser()
  const { isOn, isLinked, accountName } = status
  const linkedText = accountName
    ? t('telegramPage.linkedAs', { name: isolated(accountName) })
    : t('telegramPage.linked')
  if (!isOn && !isLinked) return <Off />
  return (
    <>
      <p role="status" className="sr-only">
        {isLinked && code ? linkedText : ''}
      </p>
      {isLinked ? (
        <Linked status={status} isNew={code !== null} onUnlinked={() => onCode(null)} />
      ) : code ? (
        <LinkSteps key={code.code} code={code} status={status} onCode={onCode} />
      ) : (
        <Unlinked status={status} onCode={onCode} />
      )}
      {mayUseGroup(status, user) && (
        <p className="mt-6 max-w-120 rounded-m bg-well px-4 py-3 text-ink-2">{t('telegramPage.group')}</p>
      )}
      <NotificationPreferences />
    </>
  )
}

/** Large Telegram logo. */
function Sign() {
  return (
    <span aria-hidden="true" className="grid size-14 flex-none place-items-center rounded-full bg-gulf-soft text-gulf">
      <TelegramIcon size={28} />
    </span>
  )
}

function Unlinked({ status, onCode }: Pick<KnownProps, 'status' | 'onCode'>) {
  const t = useT()
  const user = useUser()
  const { requestCode, busy, problem } = useRequestCode(onCode)
  return (
    <section className="flex gap-4 pt-2 max-sm:flex-col">
      <Sign />
      <div className="max-w-120">
        <h2 className="text-heading">{t('telegramPage.lead')}</h2>
        <p className="mt-1 text-ink-2">
          {t('telegramPage.leadText')} {mayUseGroup(status, user) && t('telegramPage.answers')}
        </p>
        <div className="mt-4">
          <Button
            tone="aqua"
            icon={TelegramIcon}
            busy={busy}
            reason={user?.impersonatedBy ? t('telegramPage.others') : null}
            onClick={() => void requestCode()}
          >
            {t('telegramPage.link')}
          </Button>
        </div>
        {problem && (
          <p role="alert" className="mt-3 text-clay">
            {problem}
          </p>
        )}
      </div>
    </section>
  )
}

function Off() {
  const t = useT()
  const isAdmin = useUser()?.role === 'super_admin'
  return (
    <section className="flex gap-4 pt-2 max-sm:flex-col">
      <span aria-hidden="true" className="grid size-14 flex-none place-items-center rounded-full bg-well text-ink-3">
        <TelegramIcon size={28} />
      </span>
      <div className="max-w-120">
        <h2 className="text-heading">{t('telegramPage.off')}</h2>
        <p className="mt-1 text-ink-2">
          {isAdmin
            ? t('telegramPage.offAdmin', { father: isolated('@BotFather'), setting: isolated('TELEGRAM_BOT_TOKEN') })
            : t('telegramPage.offText')}
        </p>
      </div>
    </section>
  )
}

export const page: Page = {
  Component: TelegramPage,
  load: ({ queries }) => queries.fetchQuery({ ...telegramStatus(), staleTime: 0 }).catch(() => undefined),
  head: ({ t }) => ({ title: t('telegramPage.title'), hidden: true }),
}
