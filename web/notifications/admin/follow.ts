import { listDriverDays } from '@qatra/contract/driver-board'
import { getRun } from '@qatra/contract/drivers'
import { notificationKinds } from '@qatra/contract/notifications/kinds'
import type { LiveEvent } from '@qatra/contract/notifications/notifications'
import type { Role } from '@qatra/contract/users/roles'
import { listVisits } from '@qatra/contract/visits'
import type { QueryClient } from '@tanstack/react-query'
import { CallError } from '../../lib/api-client.ts'
import { applyOrderEvents, countUnconfirmed, reloadOrders } from '../../orders/admin/follow-orders.ts'
import { setNavCount } from '../../ui/admin/nav-counts.ts'
import { renewCampaigns } from '../../whatsapp/admin/campaigns/follow-campaigns.ts'
import {
  followMessages,
  followOrders,
  reloadInbox,
  renewConnection,
  renewWaitingCount,
} from '../../whatsapp/admin/inbox/follow-messages.ts'

const desk: readonly Role[] = ['super_admin', 'vendor_admin', 'vendor_staff']

interface Follower {
  role: Role
  readsInbox: boolean
}

/** Updates the count of unconfirmed orders in the navigation; if the call fails, the old count stays. */
export async function renewNavCount({ role, readsInbox }: Follower): Promise<void> {
  if (readsInbox) void renewWaitingCount()
  if (!desk.includes(role)) return
  try {
    setNavCount('/admin/orders', await countUnconfirmed())
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}

/** Refreshes the queries that the events affect. */
export async function follow(queries: QueryClient, follower: Follower, events: readonly LiveEvent[]): Promise<void> {
  const { role } = follower
  if (role === 'driver') void queries.invalidateQueries({ queryKey: [getRun.path] })
  const orders = events.filter(({ kind }) => notificationKinds[kind].stream === 'orders')
  if (orders.length > 0) void queries.invalidateQueries({ queryKey: [listDriverDays.path] })
  if (orders.length > 0 && follower.readsInbox) void followOrders(queries)
  if (orders.some(({ orderId }) => orderId === null)) void queries.invalidateQueries({ queryKey: [listVisits.path] })
  const contacts = events.flatMap(({ contactId }) => (contactId === null ? [] : [contactId]))
  await Promise.all([
    ...(orders.length > 0 ? [applyOrderEvents(queries, orders), renewNavCount(follower)] : []),
    ...(contacts.length > 0 ? [followMessages(queries, contacts)] : []),
    ...(events.some(({ kind }) => kind === 'campaign-changed') ? [renewCampaigns(queries)] : []),
    ...(events.some(({ kind }) => kind === 'connection-changed') ? [renewConnection(queries)] : []),
  ])
}

/** Reloads everything after missed events. */
export async function reload(queries: QueryClient, follower: Follower): Promise<void> {
  const { role, readsInbox } = follower
  if (role === 'driver') void queries.invalidateQueries({ queryKey: [getRun.path] })
  void queries.invalidateQueries({ queryKey: [listDriverDays.path] })
  void queries.invalidateQueries({ queryKey: [listVisits.path] })
  await Promise.all([
    reloadOrders(queries),
    renewNavCount(follower),
    ...(readsInbox ? [reloadInbox(queries)] : []),
    ...(role === 'super_admin' ? [renewConnection(queries), renewCampaigns(queries)] : []),
  ])
}
