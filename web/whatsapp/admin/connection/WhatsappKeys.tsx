import { formatDateTime } from '@qatra/contract/calendar/calendar'
import {
  saveWhatsappKeys,
  type WhatsappKey,
  type WhatsappKeyState,
  whatsappKeyProblems,
  whatsappKeys,
} from '@qatra/contract/whatsapp/connection/setup'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type CallError, call, detailsOf } from '../../../lib/api-client.ts'
import { type Translate, useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { ownRefusalText } from '../../../lib/refusal.ts'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { Form } from '../../../ui/admin/form/Form.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { BinIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { renewConnection } from '../inbox/follow-messages.ts'
import { setupQuery, useSetupAction } from './use-setup-action.ts'

/** The setting of the server for each key. */
const settings = {
  token: 'WHATSAPP_TOKEN',
  phoneNumberId: 'WHATSAPP_PHONE_NUMBER_ID',
  businessAccountId: 'WHATSAPP_BUSINESS_ACCOUNT_ID',
  appSecret: 'WHATSAPP_APP_SECRET',
  verifyToken: 'WHATSAPP_VERIFY_TOKEN',
} as const satisfies Record<WhatsappKey, string>

/** What is stored of the keys of the Cloud API, never their values, and the dialogs that change or remove them. */
export function WhatsappKeys({ keys }: { keys: readonly WhatsappKeyState[] }) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const [removed, setRemoved] = useState<WhatsappKey | null>(null)
  const isEmpty = keys.every(({ source }) => source === null)
  const isFixed = keys.every(({ source }) => source === 'server')
  return (
    <section aria-label={t('whatsappKeys.title')} className="mt-4 max-w-200 rounded-m border border-line p-4">
      <h3 className="font-strong">{t('whatsappKeys.title')}</h3>
      <p className="text-ink-2">{t('whatsappKeys.hint')}</p>
      <dl className="mt-2 grid">
        {keys.map((key) => (
          <div
            key={key.name}
            className="flex min-h-11 items-center justify-between gap-x-3 border-b border-line py-1.5 last:border-b-0"
          >
            <div className="min-w-0 sm:grid sm:grid-cols-[13rem_minmax(0,1fr)] sm:gap-x-4">
              <dt className="text-ink-2">{t(`whatsappKeys.${key.name}`)}</dt>
              <dd className="min-w-0">
                <KeyState state={key} />
              </dd>
            </div>
            {key.source === 'page' && (
              <ToolbarButton
                icon={BinIcon}
                aria-label={t('whatsappKeys.removeOne', { key: t(`whatsappKeys.${key.name}`) })}
                onClick={() => setRemoved(key.name)}
              >
                {t('whatsappKeys.remove')}
              </ToolbarButton>
            )}
          </div>
        ))}
      </dl>
      {!isFixed && (
        <p className="mt-3">
          <Button size="small" tone={isEmpty ? 'gulf' : 'quiet'} onClick={() => setOpen(true)}>
            {t(isEmpty ? 'whatsappKeys.enter' : 'whatsappKeys.change')}
          </Button>
        </p>
      )}
      {isOpen && <KeysDialog keys={keys} onClose={() => setOpen(false)} />}
      {removed && <RemoveDialog name={removed} onClose={() => setRemoved(null)} />}
    </section>
  )
}

/** Says what stops without the key. */
function RemoveDialog({ name, onClose }: { name: WhatsappKey; onClose(): void }) {
  const t = useT()
  const { busy, problem, run } = useSetupAction()
  async function remove() {
    const setup = await call(saveWhatsappKeys, { body: { [name]: null } })
    onClose()
    return setup
  }
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t('whatsappKeys.removeOne.ask', { key: t(`whatsappKeys.${name}`) })}
      confirm={t('whatsappKeys.remove')}
      busy={busy}
      error={problem}
      onConfirm={() => void run(remove, t('whatsappKeys.removed'))}
      onCancel={onClose}
    >
      {t(`whatsappKeys.without.${name}`)}
    </ConfirmDialog>
  )
}

function KeyState({ state: { source, ending, isUnreadable, by, at } }: { state: WhatsappKeyState }) {
  const { t, lang } = useLanguage()
  if (isUnreadable) return <span className="text-clay">{t('whatsappKeys.unreadable')}</span>
  if (source === null) return <span className="text-ink-3">{t('whatsappKeys.none')}</span>
  const parts = [
    t(source === 'server' ? 'whatsappKeys.server' : 'whatsappKeys.saved'),
    ending && t('whatsappKeys.ending', { ending: `\u2066…${ending}\u2069` }),
    by && `\u2068${by}\u2069`,
    // Stays in one line.
    at && formatDateTime(new Date(at), lang).replaceAll(' ', '\u00a0'),
  ]
  return <>{parts.filter(Boolean).join(' · ')}</>
}

type Values = Record<WhatsappKey, string>
const isId = (name: WhatsappKey) => name === 'phoneNumberId' || name === 'businessAccountId'

const entered = (values: Values) =>
  Object.fromEntries(
    whatsappKeys.flatMap((name) => (values[name].trim() === '' ? [] : [[name, values[name].trim()]])),
  ) as Partial<Values>

function problemsIn(t: Translate, values: Values): Partial<Values> {
  const given = entered(values)
  if (Object.keys(given).length === 0) return { token: t('whatsappKeys.nothing') }
  const problems: Partial<Values> = {}
  for (const name of whatsappKeys) {
    const value = given[name]
    if (value === undefined || (isId(name) ? /^\d{5,25}$/ : /^[!-~]{8,1000}$/).test(value)) continue
    problems[name] = t(isId(name) ? 'whatsappKeys.badId' : 'whatsappKeys.badSecret')
  }
  return problems
}

/** Puts the reasons of a refusal beside their fields. */
function withFields(t: Translate, error: CallError): CallError {
  const { problems = [] } = detailsOf(error, 'WHATSAPP_KEYS_REFUSED')
  error.details.fields = Object.fromEntries(
    problems.map(({ name, problem, detail }) => {
      const known = whatsappKeyProblems.find((one) => one === problem) ?? 'META_REFUSED'
      return [name, t(`whatsappKeys.problem.${known}`, { detail: detail ?? '' })]
    }),
  )
  return error
}

function KeysDialog({ keys, onClose }: { keys: readonly WhatsappKeyState[]; onClose(): void }) {
  const t = useT()
  const queries = useQueryClient()
  const form = useForm({
    body: saveWhatsappKeys.body,
    start: Object.fromEntries(whatsappKeys.map((name) => [name, ''])) as Values,
    check: (values) => problemsIn(t, values),
    toBody: entered,
    send: (body) =>
      call(saveWhatsappKeys, { body }).catch((error: CallError) => {
        throw withFields(t, error)
      }),
    onSaved: (setup) => {
      queries.setQueryData(setupQuery().queryKey, setup)
      void renewConnection(queries)
      toast({ title: t('whatsappKeys.stored') })
      onClose()
    },
    failureOf: (error) =>
      error.code === 'WHATSAPP_KEYS_REFUSED' ? t('whatsappKeys.notStored') : ownRefusalText(t, error, 'whatsappKeys'),
  })
  return (
    <Dialog
      open
      title={t('whatsappKeys.title')}
      className="admin max-w-140"
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('whatsappKeys.try'), tone: 'gulf', busy: form.busy, onChoose: () => void form.submit() }}
    >
      <div data-first className="mt-3 text-start text-ink">
        <Form form={form} label={t('whatsappKeys.title')}>
          {keys.map(({ name, source, isUnreadable }) =>
            source === 'server' ? (
              <TextField
                key={name}
                label={t(`whatsappKeys.${name}`)}
                hint={t('whatsappKeys.fixed', { setting: settings[name] })}
                value="••••••••"
                readOnly
                ltr
              />
            ) : (
              <TextField
                key={name}
                label={t(`whatsappKeys.${name}`)}
                hint={source === 'page' && !isUnreadable ? t('whatsappKeys.keep') : t(`whatsappKeys.${name}.hint`)}
                // Not remembered by the browser, and not readable over a shoulder.
                type={isId(name) ? 'text' : 'password'}
                inputMode={isId(name) ? 'numeric' : undefined}
                autoComplete={isId(name) ? 'off' : 'new-password'}
                spellCheck={false}
                ltr
                {...form.text(name)}
              />
            ),
          )}
        </Form>
      </div>
    </Dialog>
  )
}
