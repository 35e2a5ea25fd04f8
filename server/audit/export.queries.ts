import type { Readable } from 'node:stream'
import type { AuditEntry } from '@qatra/contract/audit'
import { bahrainDate, bahrainTime } from '@qatra/contract/calendar'
import type { Lang } from '@qatra/contract/lang'
import type { Ctx } from '../database/context.ts'
import { csvFile } from '../lib/csv.ts'
import { translatorFor } from '../lib/translate.ts'
import { type Filters, readHistory } from './queries.ts'

const columns = ['day', 'time', 'who', 'behalf', 'action', 'resource', 'resourceId', 'changes', 'notes', 'ip'] as const

const nameOf = (person: AuditEntry['user']) =>
  person && `${person.name ?? ''} ${person.phone.replace(/^\+/, '')}`.trim()
const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

export function exportHistory(ctx: Ctx, filters: Filters, lang: Lang): Promise<Readable> {
  const t = translatorFor(lang)
  const cellsOf = (entry: AuditEntry): Record<(typeof columns)[number], string | null> => ({
    day: bahrainDate(new Date(entry.at)),
    time: bahrainTime(new Date(entry.at)),
    who: nameOf(entry.user),
    behalf: nameOf(entry.onBehalfOf),
    action: entry.action,
    resource: entry.resource,
    resourceId: entry.resourceId,
    changes: entry.changes.map(({ field, from, to }) => `${field}: ${shown(from)} → ${shown(to)}`).join('; '),
    notes: entry.notes,
    ip: entry.ipAddress,
  })
  async function* rows() {
    for await (const entry of readHistory(ctx, filters)) {
      const cells = cellsOf(entry)
      yield columns.map((column) => cells[column])
    }
  }
  return csvFile(
    columns.map((column) => t(`auditFile.${column}`)),
    rows(),
  )
}
