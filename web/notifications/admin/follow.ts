import { getRun } from '@qatra/contract/drivers'
import { notificationKinds } from '@qatra/contract/notification-kinds'
import type { LiveEvent } from '@qatra/contract/notifications'
import type { Role } from '@qatra/contract/roles'
import type { QueryClient } from '@tanstack/react-query'
import { setNavCount } from '../../admin/nav-counts.ts'
import { CallError } from '../../lib/api-client.ts'
import { countNew, followOrders, reloadOrders } from '../../orders/admin/follow-orders.ts'
import { renewCampaigns } from '../../whatsapp/admin/follow-campaigns.ts'
import { followMessages, reloadInbox, renewConnection, renewUnreadCount } from '../../whatsapp/admin/follow-messages.ts'

const desk: readonly Role[] = ['super_admin', 'vendor_admin', 'vendor_staff']

/** Updates the count of new orders in the navigation; if the call fails, the old count stays. */
export async function renewNavCount(role: Role): Promise<void> {
  if (role === 'super_admin') void renewUnreadCount()
  if (!desk.includes(role)) return
  try {
    setNavCount('/admin/orders', await countNew())
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}

/** Refreshes the queries that the events affect. */
export async function follow(queries: QueryClient, role: Role, events: readonly LiveEvent[]): Promise<void> {
  if (role === 'driver') void queries.invalidateQueries({ queryKey: [getRun.path] })
  const orders = events.filter(({ kind }) => notificationKinds[kind].stream === 'orders')
  const contacts = events.flatMap(({ contactId }) => (contactId === null ? [] : [contactId]))
  await Promise.all([
    ...(orders.length > 0 ? [followOrders(queries, orders), renewNavCount(role)] : []),
    ...(contacts.length > 0 ? [followMessages(queries, contacts)] : []),
    ...(events.some(({ kind }) => kind === 'campaign-changed') ? [renewCampaigns(queries)] : []),
    ...(events.some(({ kind }) => kind === 'connection-changed') ? [renewConnection(queries)] : []),
  ])
}

/** Reloads everything after missed events. */
export async function reload(queries: QueryClient, role: Role): Promise<void> {
  if (role === 'driver') void queries.invalidateQueries({ queryKey: [getRun.path] })
  await Promise.all([
    reloadOrders(queries),
    renewNavCount(role),
    ...(role === 'super_admin' ? [reloadInbox(queries), renewConnection(queries), renewCampaigns(queries)] : []),
  ])
}
