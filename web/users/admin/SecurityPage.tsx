import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { isolated } from '@qatra/contract/lib/text'
import {
  addPasskey,
  FRESH_MINUTES,
  listPasskeys,
  MOST_PASSKEYS,
  type Passkey,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '@qatra/contract/users/passkeys'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Page } from '../../app/page.ts'
import { CallError, call, read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { BinIcon, EditIcon, PlusIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'

type Attempt = { busy: boolean; problem: string | null }

/** Runs an action and keeps the words of its failure. An authenticator that was dismissed is no refusal of the server. */
function useAttempt() {
  const t = useT()
  const queries = useQueryClient()
  const [{ busy, problem }, setAttempt] = useState<Attempt>({ busy: false, problem: null })
  const run = async (work: () => Promise<unknown>) => {
    setAttempt({ busy: true, problem: null })
    try {
      await work()
      await queries.invalidateQueries({ queryKey: read(listPasskeys).queryKey })
      setAttempt({ busy: false, problem: null })
      return true
    } catch (error) {
      const words = error instanceof CallError ? refusalText(t, error, 'security') : t('security.dismissed')
      setAttempt({ busy: false, problem: words })
      return false
    }
  }
  return { busy, problem, run }
}

function SecurityPage() {
  const t = useT()
  const user = useUser()
  const { data: passkeys = [] } = useQuery(read(listPasskeys))
  const isSuper = user?.role === 'super_admin'
  return (
    <AdminPageLayout title={t('admin.nav.security')} narrow>
      <div className="grid max-w-160 gap-6 px-4 py-4 md:px-6">
        <section className="grid gap-2">
          <h2 className="text-heading">{t('security.passkeys')}</h2>
          <p className="text-ink-2">{t('security.what')}</p>
          {isSuper && <p className="text-ink-2">{t(passkeys.length > 0 ? 'security.required' : 'security.super')}</p>}
        </section>
        {passkeys.length === 0 ? (
          <p className="rounded-m bg-well px-4 py-3 text-ink-2">{t('security.none')}</p>
        ) : (
          <ul className="grid gap-2">
            {passkeys.map((passkey) => (
              <Row key={passkey.id} passkey={passkey} isLast={isSuper && passkeys.length === 1} />
            ))}
          </ul>
        )}
        {passkeys.length < MOST_PASSKEYS && <NewPasskey />}
        {isSuper && passkeys.length === 1 && <p className="text-ink-2">{t('security.second')}</p>}
      </div>
    </AdminPageLayout>
  )
}

function Problem({ words }: { words: string | null }) {
  return (
    words && (
      <p role="alert" className="text-clay">
        {words}
      </p>
    )
  )
}

function NewPasskey() {
  const t = useT()
  const { busy, problem, run } = useAttempt()
  const [name, setName] = useState('')
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const isDone = await run(async () => {
      const { options } = await call(startPasskey, {})
      const { startRegistration } = await import('@simplewebauthn/browser')
      // The server's options, as WebAuthn defines them.
      const { id, rawId, response } = await startRegistration({
        optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
      })
      const { clientDataJSON, attestationObject, transports } = response
      const credential = {
        id,
        rawId,
        type: 'public-key' as const,
        response: { clientDataJSON, attestationObject, transports: transports ?? [] },
      }
      await call(addPasskey, { body: { name: name.trim() || t('security.name.default'), credential } })
    })
    if (!isDone) return
    setName('')
    toast({ title: t('security.added') })
  }
  return (
    <form noValidate onSubmit={(event) => void add(event)} className="grid gap-3 border-t border-line pt-5">
      <TextField
        label={t('security.name')}
        hint={t('security.name.hint')}
        maxLength={60}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" tone="gulf" icon={PlusIcon} busy={busy} className="justify-self-start">
        {t('security.add')}
      </Button>
      <Problem words={problem} />
      <p className="text-caption text-ink-3">{t('security.fresh', { minutes: FRESH_MINUTES })}</p>
    </form>
  )
}

function Row({ passkey: { id, name, createdAt, lastUsedAt }, isLast }: { passkey: Passkey; isLast: boolean }) {
  const { t, lang } = useLanguage()
  const shown = (at: string) => isolated(formatDateTime(new Date(at), lang))
  const { busy, problem, run } = useAttempt()
  const [typed, setTyped] = useState<string | null>(null)
  const [isAsked, setAsked] = useState(false)
  const params = { id: String(id) }
  const rename = async (event: FormEvent) => {
    event.preventDefault()
    if (await run(() => call(renamePasskey, { params, body: { name: typed?.trim() ?? '' } }))) setTyped(null)
  }
  const remove = async () => {
    if (await run(() => call(removePasskey, { params }))) toast({ title: t('security.removed') })
    setAsked(false)
  }
  return (
    <li className="grid gap-2 rounded-m border border-line px-4 py-3">
      {typed === null ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="min-w-0 grow">
            <b dir="auto" className="block wrap-anywhere">
              {name}
            </b>
            <span className="block text-caption text-ink-3">
              {t('security.made', { at: shown(createdAt) })}
              {' · '}
              {lastUsedAt === null ? t('security.unused') : t('security.used', { at: shown(lastUsedAt) })}
            </span>
          </span>
          <ToolbarButton icon={EditIcon} onClick={() => setTyped(name)}>
            {t('security.rename')}
          </ToolbarButton>
          <ToolbarButton icon={BinIcon} tone="danger" onClick={() => setAsked(true)}>
            {t('security.remove')}
          </ToolbarButton>
        </div>
      ) : (
        <form noValidate onSubmit={(event) => void rename(event)} className="grid gap-3">
          <TextField
            label={t('security.name')}
            maxLength={60}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <span className="flex gap-2">
            <Button type="submit" tone="gulf" busy={busy} reason={typed.trim() === '' && t('security.name')}>
              {t('security.save')}
            </Button>
            <Button tone="quiet" onClick={() => setTyped(null)}>
              {t('admin.cancel')}
            </Button>
          </span>
        </form>
      )}
      <Problem words={problem} />
      <ConfirmDialog
        open={isAsked}
        tone="danger"
        busy={busy}
        title={t('security.remove.title', { name })}
        confirm={t('security.remove')}
        onConfirm={() => void remove()}
        onCancel={() => setAsked(false)}
      >
        {t(isLast ? 'security.remove.last' : 'security.remove.text')}
      </ConfirmDialog>
    </li>
  )
}

export const page: Page = {
  Component: SecurityPage,
  load: ({ queries }) => queries.prefetchQuery(read(listPasskeys)),
  head: ({ t }) => ({ title: t('admin.nav.security'), hidden: true }),
}
