import type { BulkFailure } from '@qatra/contract/products/bulk'
import type { CustomerColumn } from '@qatra/contract/users/customers-import'
import type { Translator } from '../../lib/translate.ts'
import type { ImportedField } from '../../users/import.commands.ts'

/** A row of an import beside what is stored for the customer now. */
export interface ImportedRow {
  userId: number
  row: number
  /** The import created the account. */
  isNew: boolean
  filled: ImportedField[]
  tags: string[]
  noteId: number | null
  isJoined: boolean
  /** Since the import; of a new account, ever. */
  hasOrdered: boolean
  hasSignedIn: boolean
  /** A new account has something that this import did not write. */
  isTouched: boolean
  /** The fields that still have the value of the import. */
  isStored: Record<ImportedField, boolean>
  isNoteRemoved: boolean
}

interface Restored {
  userId: number
  /** Fields to empty. */
  fields: ImportedField[]
  /** Fields that somebody has changed, which stay. */
  changed: ImportedField[]
  tags: string[]
  noteId: number | null
  isJoined: boolean
}

export interface UndoPlan {
  /** New accounts that nobody has used. */
  removed: number[]
  restored: Restored[]
  kept: BulkFailure[]
}

const columnOf = { name: 'name', address: 'address', consent: 'marketingConsent' } as const satisfies Record<
  ImportedField,
  CustomerColumn
>

/** Decides what an undo takes back: nothing that somebody has ordered with, signed in to or changed since. */
export function planUndo(rows: readonly ImportedRow[], words: Translator): UndoPlan {
  const plan: UndoPlan = { removed: [], restored: [], kept: [] }
  for (const row of rows) {
    const keep = (field: CustomerColumn, key: string) =>
      void plan.kept.push({ row: row.row, field, reason: words(key) })
    if (row.hasOrdered) keep('phone', 'customerFile.undo.ordered')
    else if (!row.isNew) plan.restored.push(restoredOf(row, keep))
    else if (row.hasSignedIn) keep('phone', 'customerFile.undo.signedIn')
    else if (row.isTouched) keep('phone', 'customerFile.undo.changed')
    else plan.removed.push(row.userId)
  }
  return plan
}

function restoredOf(
  { userId, filled, isStored, tags, noteId, isJoined, isNoteRemoved }: ImportedRow,
  keep: (field: CustomerColumn, key: string) => void,
): Restored {
  const changed = filled.filter((field) => !isStored[field])
  for (const field of changed) keep(columnOf[field], 'customerFile.undo.changed')
  if (isNoteRemoved) keep('notes', 'customerFile.undo.changed')
  const fields = filled.filter((field) => isStored[field])
  return { userId, fields, changed, tags, noteId: isNoteRemoved ? null : noteId, isJoined }
}
