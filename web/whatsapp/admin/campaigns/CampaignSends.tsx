import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { formatPhone } from '@qatra/contract/lib/phone'
import type { Send } from '@qatra/contract/whatsapp/campaigns/sends'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Translate, useLanguage } from '../../../lib/language/i18n.tsx'
import type { List } from '../../../ui/admin/list/use-list.ts'
import { DataTable } from '../../../ui/admin/table/DataTable.tsx'
import type { Column } from '../../../ui/admin/table/table-columns.tsx'
import { classes } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { undeliveredReason } from '../thread/message-words.ts'
import { SendState } from './campaign-parts.tsx'

const skips = [
  ...(['opted-out', 'blocked', 'no-consent', 'staff', 'switched-off', 'answered'] as const),
  ...(['variables-missing', 'taken-before'] as const),
]

/** Reason why a message was not sent. */
function reasonOf({ errorCode, errorMessage }: Send, t: Translate): string | null {
  const skip = skips.find((one) => one === errorCode)
  if (skip) return t(`campaigns.reason.${skip}`)
  if (errorCode === 'BY-HAND') return t('campaigns.reason.byHand')
  if (errorCode === 'LOST') return t('campaigns.reason.lost')
  return undeliveredReason(t, errorCode, errorMessage)
}

interface CampaignSendsProps {
  /** Set in the view of sends with an unknown result: staff can select rows and set their result. */
  settling: { selected: ReadonlySet<string>; onSelect(keys: ReadonlySet<string>): void; bulk: ReactNode } | null
  table: List<Send>['table']
}

/** Recipients with the result of each send; a click opens the conversation. */
export function CampaignSends({ settling, table }: CampaignSendsProps) {
  const { t, lang } = useLanguage()
  const navigate = useNavigate()
  const whose = ({ phone, name }: Send) => (
    <span className="grid min-w-0">
      {name && (
        <span className="truncate font-strong">
          <bdi>{name}</bdi>
        </span>
      )}
      <bdi dir="ltr" className="w-fit">
        {phone.startsWith('+') ? formatPhone(phone) : '—'}
      </bdi>
    </span>
  )
  const state = (one: Send, lines = 'flex items-baseline gap-2.5') => {
    const reason = reasonOf(one, t)
    return (
      <span className={classes('min-w-0', lines)}>
        <SendState status={one.status} />
        {reason && (
          <bdi
            title={one.errorMessage ? `${one.errorCode}: ${one.errorMessage}` : reason}
            className="truncate text-caption text-ink-3"
          >
            {reason}
          </bdi>
        )}
      </span>
    )
  }
  const time = (at: string | null) => (at ? formatDateTime(new Date(at), lang) : '—')
  const columns: Column<Send>[] = [
    { key: 'person', title: t('campaigns.person'), cell: whose },
    { key: 'state', title: t('campaigns.state'), cell: (one) => state(one) },
    { key: 'sent', title: t('campaigns.send.sent'), from: 'lg', width: 200, cell: ({ sentAt }) => time(sentAt) },
    { key: 'read', title: t('campaigns.send.read'), from: 'xl', width: 200, cell: ({ readAt }) => time(readAt) },
    { key: 'click', title: t('campaigns.send.clicked'), from: 'xl', width: 200, cell: (one) => time(one.clickedAt) },
  ]
  return (
    <DataTable
      label={t('campaigns.people')}
      columns={columns}
      {...table}
      rowKey={({ id }) => String(id)}
      rowLabel={({ phone }) => phone}
      {...settling}
      onOpen={({ contactId }) => {
        if (contactId !== null) void navigate({ to: '/admin/whatsapp', search: { open: String(contactId) } })
      }}
      empty={<EmptyState title={t('campaigns.nobody')} text={t('campaigns.nobody.hint')} />}
      renderCard={(one) => (
        <div className="flex items-start justify-between gap-3">
          {whose(one)}
          <span className="grid min-w-0 justify-items-end text-end">{state(one, 'grid gap-0.5')}</span>
        </div>
      )}
    />
  )
}
