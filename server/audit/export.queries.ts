import type { Readable } from 'node:stream'
import type { AuditEntry } from '@qatra/contract/audit'
import { bahrainDate, bahrainTime } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import type { Ctx } from '../database/context.ts'
import { csvFile } from '../lib/csv.ts'
import { translatorFor } from '../lib/translate.ts'
import { type Filters, readHistory } from './queries.ts'

const nameOf = (person: AuditEntry['user']) =>
  person && `${person.name ?? ''} ${person.phone.replace(/^\+/, '')}`.trim()
const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

export function exportHistory(ctx: Ctx, filters: Filters, lang: Lang): Promise<Readable> {
  const t = translatorFor(lang)
  return csvFile({
    rows: readHistory(ctx, filters),
    columns: {
      day: ({ at }) => bahrainDate(new Date(at)),
      time: ({ at }) => bahrainTime(new Date(at)),
      who: ({ user }) => nameOf(user),
      behalf: ({ onBehalfOf }) => nameOf(onBehalfOf),
      action: ({ action }) => action,
      resource: ({ resource }) => resource,
      resourceId: ({ resourceId }) => resourceId,
      changes: ({ changes }) =>
        changes.map(({ field, from, to }) => `${field}: ${shown(from)} → ${shown(to)}`).join('; '),
      notes: ({ notes }) => notes,
      ip: ({ ipAddress }) => ipAddress,
    },
    titleOf: (column) => t(`auditFile.${column}`),
  })
}
