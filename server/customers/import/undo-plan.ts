import type { CustomerColumn } from '@qatra/contract/users/customers-import'
import type { RowFailure } from '../../import/problem.ts'
import { type Report, reporter } from '../../import/rows.ts'
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
  /** Entries of bottles name the account. */
  hasBottles: boolean
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
  /** The account is used: it loses name and consent of the import alone. */
  isUsed: boolean
}

export interface UndoPlan {
  /** New accounts that nobody has used. */
  removed: number[]
  restored: Restored[]
  kept: RowFailure[]
}

const columnOf = { name: 'name', address: 'address', consent: 'marketingConsent' } as const satisfies Record<
  ImportedField,
  CustomerColumn
>

/**
 * Decides what an undo takes back. An account that somebody has ordered with, signed in to or changed since stays. It
 * also loses the name and the consent that the file has given it: nobody else has said them.
 */
export function planUndo(rows: readonly ImportedRow[], words: Translator): UndoPlan {
  const plan: UndoPlan = { removed: [], restored: [], kept: [] }
  for (const row of rows) {
    const keep = reporter<CustomerColumn>(plan.kept, row, words)
    const reason = reasonToStay(row)
    if (reason !== null) {
      keep('phone', `customerFile.undo.${reason}`)
      plan.restored.push(usedOf(row))
    } else if (row.isNew && !row.hasBottles) plan.removed.push(row.userId)
    else {
      // The ledger is append-only, and its entries name a person.
      if (row.isNew) keep('phone', 'customerFile.undo.inLedger')
      plan.restored.push(restoredOf(row, keep))
    }
  }
  return plan
}

function reasonToStay({ isNew, hasOrdered, hasSignedIn, isTouched }: ImportedRow) {
  if (hasOrdered) return 'ordered'
  if (!isNew) return null
  return hasSignedIn ? 'signedIn' : isTouched ? 'changedAccount' : null
}

function usedOf({ userId, filled, isStored }: ImportedRow): Restored {
  const fields = filled.filter((field) => field !== 'address' && isStored[field])
  const changed = filled.filter((field) => !fields.includes(field))
  return { userId, fields, changed, tags: [], noteId: null, isJoined: false, isUsed: true }
}

function restoredOf(
  { userId, filled, isStored, tags, noteId, isJoined, isNoteRemoved }: ImportedRow,
  keep: Report<CustomerColumn>,
): Restored {
  const changed = filled.filter((field) => !isStored[field])
  for (const field of changed) keep(columnOf[field], 'customerFile.undo.changed')
  if (isNoteRemoved) keep('notes', 'customerFile.undo.changed')
  const fields = filled.filter((field) => isStored[field])
  return { userId, fields, changed, tags, noteId: isNoteRemoved ? null : noteId, isJoined, isUsed: false }
}
