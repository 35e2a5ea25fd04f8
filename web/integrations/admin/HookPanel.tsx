import { formatDateTime } from '@qatra/contract/calendar/calendar'
import type { Output } from '@qatra/contract/endpoint'
import {
  createHook,
  deleteHook,
  type Hook,
  type HookDelivery,
  hookEvents,
  listHookDeliveries,
  listHooks,
  pingHook,
  resendHookDelivery,
  switchHook,
} from '@qatra/contract/outgoing-webhooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, read } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { ownRefusalText, refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { Form } from '../../ui/admin/form/Form.tsx'
import { CheckboxList } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { SecretOnce } from '../../ui/admin/SecretOnce.tsx'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { AgainIcon, CloseIcon, SendIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { ScopeField } from './NewKey.tsx'

type Made = Output<typeof createHook>

/** Form of a new endpoint; afterwards shows the secret of its signatures, which cannot be shown again. */
export function NewHook({ onClose }: { onClose(): void }) {
  const t = useT()
  const [made, setMade] = useState<Made | null>(null)
  return (
    <SidePanel label={t('hooks.new')} title={t(made ? 'hooks.ready' : 'hooks.new')} onClose={onClose}>
      <PanelPart>
        {made ? (
          <div className="grid gap-3.5">
            <p className="text-ink-2">{t('hooks.ready.once')}</p>
            <SecretOnce
              label={t('hooks.secret')}
              text={made.secret}
              copy={t('hooks.copy')}
              copied={t('hooks.copied')}
            />
          </div>
        ) : (
          <HookForm onMade={setMade} />
        )}
      </PanelPart>
    </SidePanel>
  )
}

function HookForm({ onMade }: { onMade(made: Made): void }) {
  const t = useT()
  const queries = useQueryClient()
  const form = useForm({
    body: createHook.body,
    start: { url: '', vendorId: null as number | null, events: [...hookEvents] },
    toBody: (values) => values,
    send: (body) => call(createHook, { body }),
    onSaved: (made) => {
      void queries.invalidateQueries({ queryKey: [listHooks.path] })
      onMade(made)
    },
    failureOf: (error) => ownRefusalText(t, error, 'hooks'),
  })
  return (
    <Form form={form}>
      <TextField
        label={t('hooks.url')}
        hint={t('hooks.url.hint')}
        ltr
        type="url"
        autoComplete="off"
        {...form.text('url')}
      />
      <ScopeField {...form.field('vendorId')} />
      <CheckboxList
        label={t('hooks.events')}
        choices={hookEvents.map((value) => ({ value, label: t(`hooks.event.${value}`) }))}
        {...form.field('events')}
      />
      <Button type="submit" tone="aqua" busy={form.busy}>
        {t('hooks.make')}
      </Button>
    </Form>
  )
}

const REFRESH_MS = 5_000

/** What can be done about an endpoint, and its newest messages. */
export function HookPanel({ hook, onClose }: { hook: Hook; onClose(): void }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'hooks'))
  const params = { id: String(hook.id) }
  const deliveries = useQuery({
    ...read(listHookDeliveries, { params, query: { limit: 50 } }),
    refetchInterval: REFRESH_MS,
  })
  const act = (work: () => Promise<unknown>, title: string) =>
    run(async () => {
      await work()
      toast({ title })
    }).finally(() => {
      void queries.invalidateQueries({ queryKey: [listHooks.path] })
      void deliveries.refetch()
    })
  const isOn = hook.state === 'live' || hook.state === 'failing'
  return (
    <SidePanel label={hook.url} title={t('hooks.one')} onClose={onClose}>
      <PanelPart>
        <div className="grid gap-3.5">
          <bdi dir="ltr" className="min-w-0 whitespace-normal wrap-anywhere">
            {hook.url}
          </bdi>
          {hook.failingSince !== null && (
            <p className="text-clay">
              {t('hooks.failing', {
                at: formatDateTime(new Date(hook.failingSince), lang),
                why: t(`hooks.problem.${problemOf(hook.lastError)}`),
              })}
            </p>
          )}
          {hook.state === 'stopped' && <p className="text-ink-2">{t('hooks.stopped.hint')}</p>}
          {problem && <p className="text-clay">{problem}</p>}
          <div className="flex flex-wrap gap-2">
            {isOn && (
              <ToolbarButton
                icon={SendIcon}
                disabled={busy}
                onClick={() => void act(() => call(pingHook, { params }), t('hooks.pinged'))}
              >
                {t('hooks.ping')}
              </ToolbarButton>
            )}
            <ToolbarButton
              disabled={busy}
              onClick={() =>
                void act(
                  () => call(switchHook, { params, body: { isEnabled: !isOn } }),
                  t(isOn ? 'hooks.offed' : 'hooks.onned'),
                )
              }
            >
              {t(isOn ? 'hooks.off' : 'hooks.on')}
            </ToolbarButton>
            <ToolbarButton icon={CloseIcon} tone="danger" disabled={busy} onClick={() => setIsAsked(true)}>
              {t('hooks.delete')}
            </ToolbarButton>
          </div>
        </div>
      </PanelPart>
      <PanelPart title={t('hooks.messages')}>
        {deliveries.isError && <p className="text-clay">{t('hooks.error.other')}</p>}
        {deliveries.data?.items.length === 0 && <p className="text-ink-3">{t('hooks.messages.none')}</p>}
        <ul className="grid gap-3">
          {deliveries.data?.items.map((one) => (
            <Delivery
              key={one.id}
              of={one}
              onResend={() =>
                void act(() => call(resendHookDelivery, { params: { id: String(one.id) } }), t('hooks.resent'))
              }
            />
          ))}
        </ul>
      </PanelPart>
      <ConfirmDialog
        open={isAsked}
        tone="danger"
        title={t('hooks.delete.title')}
        confirm={t('hooks.delete.confirm')}
        busy={busy}
        error={problem}
        onConfirm={() => void act(() => call(deleteHook, { params }).then(onClose), t('hooks.deleted'))}
        onCancel={() => setIsAsked(false)}
      >
        <p>{t('hooks.delete.text')}</p>
      </ConfirmDialog>
    </SidePanel>
  )
}

const problems = ['address', 'unreachable', 'unanswered', 'status'] as const
const problemOf = (error: string | null) => problems.find((one) => one === error) ?? 'status'

function Delivery({ of, onResend }: { of: HookDelivery; onResend(): void }) {
  const { t, lang } = useLanguage()
  const at = of.deliveredAt ?? of.createdAt
  return (
    <li className="flex items-start justify-between gap-3">
      <span className="grid min-w-0">
        <span>{of.type === 'ping' ? t('hooks.event.ping') : t(`hooks.event.${eventOf(of.type)}`)}</span>
        <span className="text-caption text-ink-3">
          {t(`hooks.delivery.${of.state}`, { at: formatDateTime(new Date(at), lang), attempts: of.attempts })}
        </span>
        {of.state !== 'delivered' && of.lastError !== null && (
          <span className="text-caption text-clay">
            {t(`hooks.problem.${problemOf(of.lastError)}`)} {of.lastStatus}
          </span>
        )}
      </span>
      {(of.state === 'delivered' || of.state === 'failed') && (
        <ToolbarButton icon={AgainIcon} onClick={onResend}>
          {t('hooks.resend')}
        </ToolbarButton>
      )}
    </li>
  )
}
const eventOf = (type: string) => hookEvents.find((one) => one === type) ?? 'order.changed'
