import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { replayWebhookEvent, type WebhookEvent, type WebhookStatus } from '@qatra/contract/whatsapp/connection/webhooks'
import { useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { useAction } from '../../../lib/use-action.ts'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { CopyButton } from '../../../ui/admin/CopyButton.tsx'
import { DescriptionList } from '../../../ui/admin/DescriptionList.tsx'
import { PanelPart, SidePanel } from '../../../ui/admin/SidePanel.tsx'
import { StateBadge } from '../../../ui/admin/StateBadge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { AgainIcon, CheckIcon, ClockIcon, MinusIcon, WarningIcon } from '../../../ui/icons.tsx'
import { JsonTree } from './JsonTree.tsx'

const states = {
  received: ['quiet', ClockIcon],
  processing: ['quiet', ClockIcon],
  processed: ['gulf', CheckIcon],
  ignored: ['quiet', MinusIcon],
  failed: ['problem', WarningIcon],
} as const

export function EventState({ status }: { status: WebhookStatus }) {
  const t = useT()
  const [tone, icon] = states[status]
  return (
    <StateBadge tone={tone} icon={icon}>
      {t(`webhooks.status.${status}`)}
    </StateBadge>
  )
}

interface PanelProps {
  event: WebhookEvent
  onClose(): void
  onReplayed(): void
}

/** One event: its payload, the parsed result and a replay button. */
export function EventPanel({ event, onClose, onReplayed }: PanelProps) {
  const { t, lang } = useLanguage()
  const moment = (at: string) => formatDateTime(new Date(at), lang)
  return (
    <SidePanel
      label={t('webhooks.event')}
      title={t(`webhooks.type.${event.eventType}`)}
      onClose={onClose}
      head={
        <div className="mt-2.5 flex flex-wrap items-center justify-between gap-2">
          <EventState status={event.status} />
          <Replay event={event} onReplayed={onReplayed} />
        </div>
      }
    >
      {event.errorMessage && (
        <PanelPart title={t('webhooks.error')}>
          <p dir="auto" className="text-clay wrap-break-word">
            {event.errorMessage}
          </p>
        </PanelPart>
      )}
      <PanelPart>
        <DescriptionList
          items={[
            [t('webhooks.came'), moment(event.createdAt)],
            [t('webhooks.worked'), event.processedAt && moment(event.processedAt)],
            [t('webhooks.deliveries'), String(event.deliveries)],
            [t('webhooks.attempts'), String(event.attempts)],
            [t('webhooks.field'), event.field && <bdi dir="ltr">{event.field}</bdi>],
            [t('webhooks.number'), event.phoneNumberId && <bdi dir="ltr">{event.phoneNumberId}</bdi>],
          ]}
        />
      </PanelPart>
      <PanelPart title={t('webhooks.about')}>
        <span className="flex items-start gap-2">
          <bdi dir="ltr" className="min-w-0 flex-1 whitespace-normal wrap-anywhere">
            {event.webhookId}
          </bdi>
          <span className="-my-1.5">
            <CopyButton text={event.webhookId} label={t('webhooks.about')} />
          </span>
        </span>
      </PanelPart>
      {event.processedPayload !== null && event.processedPayload !== undefined && (
        <PanelPart title={t('webhooks.understood')}>
          <JsonTree value={event.processedPayload} label={t('webhooks.understood')} />
        </PanelPart>
      )}
      <PanelPart title={t('webhooks.payload')}>
        <JsonTree value={event.rawPayload} label={t('webhooks.payload')} />
        <p className="mt-2 text-caption text-ink-3">{t('webhooks.masked')}</p>
      </PanelPart>
    </SidePanel>
  )
}

function Replay({ event, onReplayed }: Pick<PanelProps, 'event' | 'onReplayed'>) {
  const t = useT()
  const [isAsked, setAsked] = useState(false)
  const { busy, problem, run } = useAction(({ code }) =>
    t(code === 'OFFLINE' ? 'admin.form.error.OFFLINE' : 'webhooks.replay.failed'),
  )
  const replay = () =>
    run(async () => {
      await call(replayWebhookEvent, { params: { id: String(event.id) } })
      setAsked(false)
      onReplayed()
      // A job processes the replay; its result is visible a moment later.
      setTimeout(onReplayed, 1_500)
    })
  return (
    <>
      <Button size="small" icon={AgainIcon} onClick={() => setAsked(true)}>
        {t('webhooks.replay')}
      </Button>
      <ConfirmDialog
        open={isAsked}
        title={t('webhooks.replay.title')}
        confirm={t('webhooks.replay')}
        busy={busy}
        error={problem}
        onConfirm={() => void replay()}
        onCancel={() => setAsked(false)}
      >
        {t('webhooks.replay.text')}
      </ConfirmDialog>
    </>
  )
}
