import { formatDateTime } from '@qatra/contract/calendar/calendar'
import {
  type AdminInvitation,
  listAdminInvitations,
  resendInvitation,
  withdrawInvitation,
} from '@qatra/contract/users/invitations'
import { choiceName } from '@qatra/contract/users/permissions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, call, read } from '../../lib/api-client.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { Phone } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/Toast.tsx'

const MOST_SHOWN = '50'

/** The vendor's invitations with their state, newest first. */
export function InvitationsPanel({ onClose }: { onClose(): void }) {
  const t = useT()
  const { data, isError } = useQuery(read(listAdminInvitations, { query: { limit: MOST_SHOWN } }))
  return (
    <SidePanel label={t('users.invitations')} title={t('users.invitations')} onClose={onClose}>
      <PanelPart>
        {isError && <p role="alert">{t('users.error.other')}</p>}
        {!data && !isError && <Skeleton className="h-20" />}
        {data?.items.length === 0 && <EmptyState title={t('users.invitations.none')} text={t('users.invite.hint')} />}
        <ul className="grid gap-3">
          {data?.items.map((one) => (
            <li key={one.id}>
              <InvitationRow invitation={one} />
            </li>
          ))}
        </ul>
      </PanelPart>
    </SidePanel>
  )
}

function InvitationRow({ invitation }: { invitation: AdminInvitation }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const [busy, setBusy] = useState<'resend' | 'withdraw' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { id, name, phone, state, expiresAt, can } = invitation

  async function run(kind: 'resend' | 'withdraw') {
    setBusy(kind)
    setProblem(null)
    try {
      await call(kind === 'resend' ? resendInvitation : withdrawInvitation, { params: { id: String(id) } })
      toast({ title: t(kind === 'resend' ? 'users.invitation.resent' : 'users.invitation.withdrawn') })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(refusalText(t, error, 'users', 'users.invitation'))
    }
    await queries.invalidateQueries({ queryKey: [listAdminInvitations.path] })
    setBusy(null)
  }

  return (
    <article className="grid gap-1 rounded-m border border-line px-3.5 py-3" aria-label={name}>
      <p className="flex flex-wrap justify-between gap-x-3">
        <bdi className="font-strong">{name}</bdi>
        <Phone phone={phone} />
      </p>
      <p className="text-ink-2">{t(`admin.role.${choiceName(invitation)}`)}</p>
      <p className="text-ink-2">
        {state === 'open'
          ? t('users.invitation.open', { until: formatDateTime(new Date(expiresAt), lang) })
          : t(`users.invitation.${state}`)}
      </p>
      <p role="alert" className="text-clay empty:hidden">
        {problem ?? ''}
      </p>
      {(can.resend || can.withdraw) && (
        <p className="mt-1 flex flex-wrap gap-2">
          {can.resend && (
            <Button size="small" tone="outline" busy={busy === 'resend'} onClick={() => void run('resend')}>
              {t('users.invitation.resend')}
            </Button>
          )}
          {can.withdraw && (
            <Button size="small" tone="outline" busy={busy === 'withdraw'} onClick={() => void run('withdraw')}>
              {t('users.invitation.withdraw')}
            </Button>
          )}
        </p>
      )}
    </article>
  )
}
