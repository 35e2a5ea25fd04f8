import type { User } from '@qatra/contract/users/auth'
import { listInvitations } from '@qatra/contract/users/invitations'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../lib/api-client.ts'
import { findUser, useUser } from '../lib/current-user.ts'
import { loadMessageGroups } from '../lib/language/messages.ts'
import { useChunk } from '../lib/use-chunk.ts'

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

const loadBanner = async () => {
  const [module] = await Promise.all([import('./InvitationBanner.tsx'), loadMessageGroups(['invitations'])])
  return module.InvitationBanner
}

/** Banner on every page while the signed-in person has an open invitation. */
export function Invited(): ReactNode {
  const invitations = invitationsOf(useUser())
  const { data = [] } = useQuery(invitations)
  const count = invitations.enabled ? data.length : 0
  const InvitationBanner = useChunk(loadBanner, { need: count > 0 })
  return count > 0 && InvitationBanner ? <InvitationBanner count={count} /> : null
}
