import { type AuditEntry, type exportAudit, listAudit } from '@qatra/contract/audit'
import type { Input } from '@qatra/contract/endpoint'
import type { Page } from '@qatra/contract/lib/page'
import { read } from '../../lib/api-client.ts'
import { dayIn, idIn, oneOf, type Param, pageNumber, type StateOf, textIn } from '../../lib/search-state.ts'
import { PAGE_SIZE } from '../../ui/admin/list/use-list.ts'

export const resources = [
  'order',
  'product',
  'user',
  'customer',
  'vendor',
  'bottle-type',
  'visit',
  'area',
  'holiday',
  'closure',
  'invitation',
  'magic-link',
  'settings',
  'cash-day',
  'export',
] as const

export const actions = [
  'created',
  'updated',
  'deleted',
  'role-changed',
  'impersonation-started',
  'impersonation-ended',
  'signed-in',
  'signed-out',
  'created via bulk upload',
  'attempted',
  'exported',
  'closed',
  'reopened',
] as const

const entryId: Param<string | undefined> = {
  read: ([text = '']) => (/^(?:log|order|product)-\d{1,12}$/.test(text) ? text : undefined),
  write: (id) => (id ? [id] : []),
}

export const auditShape = {
  q: textIn(100),
  user: idIn,
  vendor: idIn,
  resource: oneOf(resources),
  action: oneOf(actions),
  from: dayIn,
  to: dayIn,
  page: pageNumber,
  open: entryId,
}
export type AuditState = StateOf<typeof auditShape>

export function filtersOf(state: AuditState): NonNullable<Input<typeof exportAudit>['query']> {
  const { q, user, vendor, resource, action, from, to } = state
  return {
    ...(q && { search: q }),
    ...(user && { userId: String(user) }),
    ...(vendor && { vendorId: String(vendor) }),
    ...(resource && { resource }),
    ...(action && { action }),
    ...(from && { from }),
    ...(to && { to }),
  }
}

/** One entry an act: the fields that one person changed of one record at one moment are rows of their own in the histories. */
export function actsOf(entries: readonly AuditEntry[]): AuditEntry[] {
  const acts: AuditEntry[] = []
  for (const entry of entries) {
    const last = acts.at(-1)
    const isSame =
      last !== undefined &&
      (['at', 'action', 'resource', 'resourceId'] as const).every((key) => last[key] === entry[key]) &&
      last.user?.id === entry.user?.id &&
      !last.changes.some(({ field }) => entry.changes.some((other) => other.field === field))
    if (isSame) {
      const notes = last.notes ?? entry.notes
      acts[acts.length - 1] = { ...last, notes, changes: [...entry.changes, ...last.changes] }
    } else acts.push(entry)
  }
  return acts
}

export const auditQuery = (state: AuditState) => ({
  ...read(listAudit, { query: { ...filtersOf(state), page: state.page, limit: PAGE_SIZE } }),
  select: ({ items, ...page }: Page<AuditEntry>) => ({ ...page, items: actsOf(items) }),
})
