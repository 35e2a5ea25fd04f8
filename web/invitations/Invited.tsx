import type { User } from '@qatra/contract/auth'
import { listInvitations } from '@qatra/contract/invitations'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useLang, useT } from '../app/i18n.tsx'
import { loadMessageGroups } from '../app/messages.ts'
import { findUser, useUser } from '../app/session.ts'
import { read } from '../lib/api-client.ts'

const invitationsOf = (user: User | null) => ({
  ...read(listInvitations),
  enabled: user !== null && user.impersonatedBy === null,
  staleTime: 5 * 60_000,
  retry: false,
})

/** Loads the invitations on the server, to save the browser a request. A failure does not break the page. */
export async function loadInvitations(queries: QueryClient): Promise<void> {
  const { enabled, ...invitations } = invitationsOf(await findUser(queries))
  if (enabled) await queries.prefetchQuery(invitations)
}

/** Banner on every page while the signed-in person has an open invitation. */
export function Invited(): ReactNode {
  const t = useT()
  const lang = useLang()
  const user = useUser()
  const [hasMessages, setHasMessages] = useState(false)
  const invitations = invitationsOf(user)
  const { data = [] } = useQuery(invitations)
  const count = invitations.enabled ? data.length : 0
  useEffect(() => {
    if (count > 0) void loadMessageGroups(['invitations']).then(() => setHasMessages(true))
  }, [count, lang])
  if (count === 0 || !hasMessages) return null
  return (
    <section
      aria-label={t('invitations.title')}
      className="deep no-print flex min-h-14 items-center gap-3 px-4 py-1.5 text-label"
    >
      <p className="min-w-0 flex-1 font-strong">{t('invitations.banner', { count })}</p>
      {/* A plain link: it also leads from the admin area, which is another document. */}
      <a
        href="/invitations"
        className="grid min-h-tap flex-none place-items-center rounded-m bg-aqua px-4 font-strong text-on-aqua hover:bg-aqua-press focus-visible:outline-on-deep-aqua"
      >
        {t('invitations.look')}
      </a>
    </section>
  )
}
