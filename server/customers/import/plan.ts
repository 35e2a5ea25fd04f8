import { fold } from '@qatra/contract/lib/text'
import type { AddressParts } from '@qatra/contract/users/auth'
import { MOST_TAGS } from '@qatra/contract/users/customers'
import type { CustomerColumn } from '@qatra/contract/users/customers-import'
import type { Role } from '@qatra/contract/users/roles'
import type { RowFailure } from '../../import/problem.ts'
import { reporter } from '../../import/rows.ts'
import type { Translator } from '../../lib/translate.ts'
import type { ImportedField } from '../../users/import.commands.ts'
import type { OpeningBottles, OtherAddress, Person } from './check.ts'

/** What is stored for a phone of the file. */
export interface Known {
  phone: string
  /** The contact has stopped marketing messages. */
  hasOptedOut: boolean
  account: KnownAccount | null
}

export interface KnownAccount {
  id: number
  role: Role
  isActive: boolean
  name: string | null
  address: string | null
  addressParts: AddressParts | null
  /** All saved ones; null without a text. */
  addresses: readonly (string | null)[]
  hasAnsweredConsent: boolean
  consent: boolean
  areaId: number | null
  /** Of the vendor of the import. */
  tags: readonly string[]
  notes: readonly string[]
  isOfVendor: boolean
  /** Bottles of types that have moved at the vendor; an import that was undone is none. */
  bottles: readonly { typeId: number; count: number }[]
}

/** What the import writes for one customer. */
export interface Change {
  person: Person
  /** Null for a new account. */
  id: number | null
  filled: ImportedField[]
  otherAddresses: OtherAddress[]
  areaId: number | null
  tags: string[]
  notes: string | null
  isJoined: boolean
  bottles: OpeningBottles[]
}

export interface Plan {
  changes: Change[]
  unchanged: number
  failed: RowFailure[]
  kept: RowFailure[]
}

interface Terms {
  words: Translator
  /** The customers are of one vendor, which then sees them. */
  isForVendor: boolean
}

/** Decides for each customer of the file what is created, filled and left as it is. */
export function planImport(people: readonly Person[], known: ReadonlyMap<string, Known>, terms: Terms): Plan {
  const plan: Plan = { changes: [], unchanged: 0, failed: [], kept: [] }
  for (const person of people) {
    const { hasOptedOut = false, account = null } = known.get(person.phone) ?? {}
    const addTo =
      (list: RowFailure[]): Keep =>
      (field, key, row = person.row) =>
        reporter(list, { row }, terms.words)(field, key)
    const refuse = addTo(plan.failed)
    if (account && account.role !== 'customer') refuse('phone', 'customerFile.staff')
    else if (account && !account.isActive) refuse('phone', 'customerFile.off')
    else {
      const change = changeOf(person, account, { hasOptedOut, isForVendor: terms.isForVendor, keep: addTo(plan.kept) })
      if (change) plan.changes.push(change)
      else plan.unchanged += 1
    }
  }
  return plan
}

/** Reports a value that is not taken; by default of the person's first row. */
type Keep = (field: CustomerColumn, key: string, row?: number) => unknown

interface Situation {
  hasOptedOut: boolean
  isForVendor: boolean
  keep: Keep
}

/** Null if the file has nothing new for the customer. */
function changeOf(
  person: Person,
  account: KnownAccount | null,
  { hasOptedOut, isForVendor, keep }: Situation,
): Change | null {
  const filled: ImportedField[] = []
  if (fills(person.name, account?.name ?? null, () => keep('name', 'customerFile.kept.name'))) filled.push('name')
  if (fillsPlace(person, account, keep)) filled.push('address')
  const otherAddresses = newAddresses(person, account, keep)
  if (fillsConsent(person, account, { hasOptedOut, keep })) filled.push('consent')
  const fillsArea = fills(textOf(person.areaId), textOf(account?.areaId ?? null), () =>
    keep('area', 'customerFile.kept.area'),
  )
  const stored = account?.tags ?? []
  const missing = person.tags.filter((tag) => !stored.includes(tag))
  const hasRoom = stored.length + missing.length <= MOST_TAGS
  if (!hasRoom) keep('tags', 'customerFile.kept.tags')
  const tags = hasRoom ? missing : []
  const notes = person.notes !== null && !account?.notes.includes(person.notes) ? person.notes : null
  const isJoined = isForVendor && !account?.isOfVendor
  const areaId = fillsArea ? person.areaId : null
  const bottles = newBottles(person, account, keep)
  const hasNews =
    filled.length > 0 || areaId !== null || tags.length > 0 || notes !== null || isJoined || bottles.length > 0
  if (account !== null && !hasNews) return null
  return { person, id: account?.id ?? null, filled, otherAddresses, areaId, tags, notes, isJoined, bottles }
}

/** Whether an empty field gets the value of the file; reports a different value. */
function fills(value: string | null, stored: string | null, report: () => void): boolean {
  if (value === null) return false
  if (stored !== null && fold(stored) !== fold(value)) report()
  return stored === null
}

const textOf = (id: number | null) => (id === null ? null : String(id))

/** Address and parts are filled together, so that they describe one place. */
function fillsPlace({ address, addressParts }: Person, account: KnownAccount | null, keep: Situation['keep']): boolean {
  if (address === null && addressParts === null) return false
  if (!account || hasNoPlace(account)) return true
  if (address !== null && !isSaved(account, address)) keep('address', 'customerFile.kept.address')
  return false
}

const hasNoPlace = ({ address, addressParts }: KnownAccount) => address === null && addressParts === null

const isSaved = ({ addresses }: KnownAccount, address: string) =>
  addresses.some((one) => fold(one ?? '') === fold(address))

/** An account with addresses of its own gets no further ones. */
function newAddresses({ otherAddresses }: Person, account: KnownAccount | null, keep: Keep): OtherAddress[] {
  if (!account || (hasNoPlace(account) && account.addresses.every((one) => one === null))) return otherAddresses
  for (const { row, address } of otherAddresses)
    if (!isSaved(account, address)) keep('address', 'customerFile.kept.address', row)
  return []
}

/** A balance opens once: what has moved since is counted by hand. */
function newBottles({ bottles }: Person, account: KnownAccount | null, keep: Keep): OpeningBottles[] {
  return bottles.filter(({ typeId, field, row }) => {
    const known = account?.bottles.find((one) => one.typeId === typeId)
    if (!known) return true
    const wanted = bottles.reduce((sum, one) => sum + (one.typeId === typeId ? one.count : 0), 0)
    if (known.count !== wanted) keep(field, 'customerFile.kept.bottles', row)
    return false
  })
}

/** The customer's own answer stays, and so does an opt-out. */
function fillsConsent(
  { consent }: Person,
  account: KnownAccount | null,
  { hasOptedOut, keep }: Pick<Situation, 'hasOptedOut' | 'keep'>,
): boolean {
  if (consent === null) return false
  if (consent.isGiven && hasOptedOut) {
    keep('marketingConsent', 'customerFile.kept.optedOut')
    return false
  }
  if (!account?.hasAnsweredConsent) return true
  if (account.consent !== consent.isGiven) keep('marketingConsent', 'customerFile.kept.consent')
  return false
}
