import type { Parsed } from '@qatra/contract/endpoint'
import type { ImportReport } from '@qatra/contract/lib/upload'
import {
  CANNED_ROWS,
  type CannedColumn,
  type CannedImportResult,
  type CannedReply,
  cannedFields,
  type importCannedReplies as importing,
} from '@qatra/contract/whatsapp/inbox/canned-replies'
import type { Ctx } from '../database/context.ts'
import type { App } from '../http/runtime.ts'
import { type Columns, checked } from '../import/columns.ts'
import { type ImportKind, runImport } from '../import/import.ts'
import type { ReadRow } from '../import/rows.ts'
import { changeCanned, createCanned } from './canned.commands.ts'
import { listKnown } from './canned.queries.ts'

type Cells = Record<CannedColumn, string>
type Counts = Omit<CannedImportResult, keyof ImportReport | 'failedRows'>

const column = (field: CannedColumn, ...headings: string[]): Columns<Cells>[CannedColumn] => ({
  headings,
  read: (cell, refuse) => checked(cannedFields[field], cell, refuse),
})

const cannedFile: ImportKind<Cells, Counts> = {
  scope: 'cannedFile',
  columns: {
    shortcut: { ...column('shortcut', 'short name,name,code', 'الاختصار,الاسم المختصر,الرمز'), isRequired: true },
    bodyAr: column('bodyAr', 'arabic,arabic text,arabic words', 'عربي,العربية,بالعربية,النص العربي'),
    body: column('body', 'english,english text,english words,text', 'إنجليزي,الإنجليزية,بالإنجليزية,النص الإنجليزي'),
    titleAr: column('titleAr', 'arabic title', 'العنوان بالعربية,العنوان العربي'),
    title: column('title', 'english title', 'العنوان بالإنجليزية,العنوان الإنجليزي'),
  },
  isFormula: (cell) => /^ *[=@\t\r]/.test(cell),
  maxRows: CANNED_ROWS,
  mostListed: CANNED_ROWS,
  budgetMs: 5_000,
  nameOf: (problem) => problem,
  nothing: { created: 0, updated: 0, unchanged: 0 },
}

/** The good rows; a blank cell is not in them. */
async function checkRows(rows: AsyncIterable<ReadRow<Cells>>): Promise<Map<string, Partial<Cells>>> {
  const good = new Map<string, Partial<Cells>>()
  const rowOf = new Map<string, number>()
  for await (const { row, values, refuse, refused } of rows) {
    const { shortcut } = values
    if (shortcut === undefined) refuse('shortcut', 'validation.required')
    const before = shortcut ? rowOf.get(shortcut) : undefined
    if (before !== undefined) refuse('shortcut', 'cannedFile.repeated', { row: before })
    if (refused.size === 0 && !values.body && !values.bodyAr) refuse('bodyAr', 'cannedFile.empty')
    if (refused.size > 0 || !shortcut) continue
    rowOf.set(shortcut, row)
    const written = Object.entries(values).filter(([, value]) => value)
    good.set(shortcut, Object.fromEntries(written))
  }
  return good
}

const differs = (reply: CannedReply, cells: Partial<Cells>) =>
  (Object.keys(cells) as CannedColumn[]).some((field) => cells[field] !== reply[field]) // its own keys

/** New shortcuts become replies, known ones get the texts of the file. @throws BULK_REFUSED with the problems */
export const importCanned = (
  ctx: Ctx,
  app: Pick<App, 'pool'>,
  { query: mode, body: file }: Pick<Parsed<typeof importing>, 'query' | 'body'>,
): Promise<CannedImportResult> =>
  runImport(ctx, app, cannedFile, {
    file,
    mode,
    vendorId: 0,
    async check(read) {
      const rows = await checkRows(read)
      return async (inside) => {
        const known = await listKnown(inside, [...rows.keys()])
        const added = [...rows].filter(([shortcut]) => !known.has(shortcut))
        const changed = [...known.values()].filter((reply) => differs(reply, rows.get(reply.shortcut) ?? {}))
        const counts = { created: added.length, updated: changed.length, unchanged: known.size - changed.length }
        const write = async (writing: Ctx) => {
          const empty = { title: '', titleAr: '', body: '', bodyAr: '' }
          for (const [shortcut, cells] of added)
            await createCanned(writing, { ...empty, ...cells, shortcut, isActive: true })
          for (const { id, shortcut } of changed) await changeCanned(writing, id, rows.get(shortcut) ?? {})
          return { counts }
        }
        return { failed: [], counts, write }
      }
    },
  })
