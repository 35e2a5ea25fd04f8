import { formatDateTime } from '@qatra/contract/calendar/calendar'
import {
  acceptInvitation,
  declineInvitation,
  type Invitation,
  listInvitations,
} from '@qatra/contract/users/invitations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../app/names.ts'
import type { Page, PageRequest } from '../app/page.ts'
import { requireUser } from '../app/session/session.ts'
import { CallError, call, read } from '../lib/api-client.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { toast } from '../ui/Toast.tsx'

type VendorRole = 'driver' | 'vendor_staff' | 'vendor_sales'

function InvitationsPage() {
  const t = useT()
  const { data = [] } = useQuery(read(listInvitations))
  return (
    <main id="main" className="mx-auto w-full max-w-160 px-4 py-6">
      <h1 className="text-title">{t('invitations.title')}</h1>
      {data.length === 0 ? (
        <EmptyState title={t('invitations.none')} text={t('invitations.none.hint')} />
      ) : (
        <ul className="mt-5 grid gap-4">
          {data.map((one) => (
            <li key={one.id}>
              <InvitationCard invitation={one} />
            </li>
          ))}
        </ul>
      )}
    </main>
  )
}

/** Inviter, role and consequences, with buttons to accept and decline. */
function InvitationCard({ invitation }: { invitation: Invitation }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { id, role, preset, invitedBy, expiresAt, obstacle } = invitation
  const vendor = nameIn({ name: invitation.vendorName, nameAr: invitation.vendorNameAr })
  const refresh = () => queries.invalidateQueries({ queryKey: [listInvitations.path] })

  async function answer(kind: 'accept' | 'decline') {
    if (busy) return
    setBusy(kind)
    setProblem(null)
    const params = { id: String(id) }
    try {
      if (kind === 'accept') {
        await call(acceptInvitation, { params, body: { leave: obstacle === 'WORKS_ELSEWHERE' } })
        // Load a new document: the cached data here is the customer's.
        location.assign('/login?redirect=%2Fadmin')
        return
      }
      await call(declineInvitation, { params })
      toast({ title: t('invitations.declined') })
      await refresh()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const isGone = error.code === 'INVITATION_NOT_FOUND'
      setProblem(t(isGone ? 'invitations.gone' : 'invitations.failed'))
      if (error.code === 'WORKS_ELSEWHERE' || error.code === 'SUPER_ADMIN_STAYS') await refresh()
    }
    setBusy(null)
  }

  return (
    <article className="grid gap-3 rounded-l border border-line bg-surface p-5">
      <h2 className="text-heading">{t('invitations.to', { vendor })}</h2>
      <div className="grid gap-0.5 text-ink-2">
        {/* Vendors' admins can invite to these roles only. */}
        <p>{t('invitations.role', { role: t(`invitations.role.${preset ?? (role as VendorRole)}`) })}</p>
        {invitedBy && <p>{t('invitations.by', { name: invitedBy })}</p>}
        <p>{t('invitations.until', { until: formatDateTime(new Date(expiresAt), lang) })}</p>
      </div>
      <p className="text-label text-ink-2">
        {t(obstacle === 'SUPER_ADMIN_STAYS' ? 'invitations.superAdmin' : 'invitations.after')}
      </p>
      {obstacle === 'WORKS_ELSEWHERE' && (
        <p className="rounded-m bg-clay-soft px-3.5 py-2.5 text-clay">{t('invitations.leaving')}</p>
      )}
      <p role="alert" className="text-clay empty:hidden">
        {problem ?? ''}
      </p>
      <div className="flex flex-wrap gap-2.5">
        {obstacle !== 'SUPER_ADMIN_STAYS' && (
          <Button tone="aqua" busy={busy === 'accept'} onClick={() => void answer('accept')}>
            {t(obstacle === 'WORKS_ELSEWHERE' ? 'invitations.acceptAndLeave' : 'invitations.accept')}
          </Button>
        )}
        <Button tone="outline" busy={busy === 'decline'} onClick={() => void answer('decline')}>
          {t('invitations.decline')}
        </Button>
      </div>
    </article>
  )
}

async function load(request: PageRequest) {
  await requireUser(request)
  await request.queries.ensureQueryData(read(listInvitations))
}

export const page: Page = {
  Component: InvitationsPage,
  load,
  head: ({ t }) => ({ title: t('shell.title.invitations'), hidden: true }),
}
