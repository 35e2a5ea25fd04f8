import { type Fils, fromBhd, timesFils, zeroFils } from '@qatra/contract/lib/money'
import { addressText, fold, lineText } from '@qatra/contract/lib/text'
import { composeAddress, partNames } from '@qatra/contract/users/address-parts'
import { mostAddresses } from '@qatra/contract/users/addresses'
import type { AddressParts } from '@qatra/contract/users/auth'
import { MOST_TAGS } from '@qatra/contract/users/customers'
import type { CustomerColumn } from '@qatra/contract/users/customers-import'
import { checked } from '../../import/columns.ts'
import type { RowFailure } from '../../import/problem.ts'
import type { ReadRow, Report } from '../../import/rows.ts'
import type { Translator } from '../../lib/translate.ts'
import { type CustomerCells, LONGEST_NOTE, type OpeningType } from './columns.ts'
import type { Phones } from './phone-cell.ts'

export interface OtherAddress {
  row: number
  address: string
  addressParts: AddressParts | null
  areaId: number | null
}

/** What a customer holds of one type at one address. */
export interface OpeningBottles {
  row: number
  field: CustomerColumn
  typeId: number
  count: number
  /** What was paid for them, as the file says; without a word of it nothing. */
  deposit: Fils
  /** Null if the row has none: the bottles are the customer's. */
  address: string | null
}

/** One customer of a file, from all valid rows with the phone. */
export interface Person {
  /** The first row. */
  row: number
  phone: string
  name: string | null
  address: string | null
  addressParts: AddressParts | null
  /** Addresses of later rows. */
  otherAddresses: OtherAddress[]
  areaId: number | null
  tags: string[]
  notes: string | null
  consent: { isGiven: boolean; words: string | null } | null
  /** Once for each type and address. */
  bottles: OpeningBottles[]
}

export interface CheckedFile {
  people: Person[]
  /** Values that are not taken: of repeated phones, and unknown areas. */
  kept: RowFailure[]
}

interface Rules {
  /** Writes addresses made of their parts. */
  addressWords: Translator
  findArea: (name: string) => { id: number; name: string } | null
  /** Types of bottles that the vendor offers. */
  types: readonly OpeningType[]
}

type Reports = Record<'refuse' | 'keep', Report<CustomerColumn>>

type Row = ReadRow<CustomerCells>

/** Checks each row alone, then merges the rows of one phone. */
export async function checkRows(rows: AsyncIterable<Row>, rules: Rules): Promise<CheckedFile> {
  const byPhone = new Map<string, Person>()
  const kept: RowFailure[] = []
  for await (const row of rows) {
    const keptHere: RowFailure[] = []
    const person = readPerson(row, rules, row.reportTo(keptHere))
    if (!person || row.refused.size > 0) continue
    kept.push(...keptHere)
    const first = byPhone.get(person.phone)
    if (!first) byPhone.set(person.phone, person)
    else mergeInto(first, person, { refuse: row.refuse, keep: row.reportTo(kept) })
  }
  return { people: [...byPhone.values()], kept }
}

function readPerson(read: Row, rules: Rules, keep: Reports['keep']): Person | null {
  const { row, values, refuse } = read
  const { phone: phones } = values
  if (phones === undefined) refuse('phone', 'validation.required')
  const areaName = values.area ?? ''
  const area = areaName === '' ? null : rules.findArea(areaName)
  if (areaName !== '' && !area) keep('area', 'customerFile.area')
  const parts: AddressParts = {}
  for (const name of partNames) {
    const value = values[name] ?? null
    if (value !== null) parts[name] = value
  }
  const addressParts = Object.keys(parts).length > 0 ? parts : null
  // An area that is not known stays readable in the address.
  const address = values.address ?? composedAddress(rules.addressWords, area?.name ?? areaName, addressParts)
  const notes = joinedNotes(values.notes ?? null, otherPhones(phones, rules))
  if ((notes?.length ?? 0) > LONGEST_NOTE) refuse('notes', 'validation.textTooLong', { maximum: LONGEST_NOTE })
  const person = {
    row,
    name: values.name ?? null,
    address,
    addressParts,
    otherAddresses: [],
    areaId: area?.id ?? null,
    tags: values.tags ?? [],
    notes,
    consent: consentOf(values, refuse),
    bottles: bottlesOf(read, rules.types, address),
  }
  return phones ? { ...person, phone: phones.phone } : null
}

const otherPhones = (phones: Phones | null | undefined, { addressWords }: Rules): string | null =>
  phones && phones.others.length > 0
    ? addressWords('customerFile.otherPhones', { numbers: phones.others.join('، ') })
    : null

const consentWords = lineText(200)
/** The address that the checkout would write; null if it is too short for one. */
function composedAddress(words: Translator, area: string, parts: AddressParts | null): string | null {
  if (parts === null) return null
  return addressText.safeParse(composeAddress(words, area, parts)).data ?? null
}

/** A consent needs the words that tell how it was given; a refusal needs none. */
function consentOf(
  { marketingConsent: isGiven, consentSource: source }: Row['values'],
  refuse: Reports['refuse'],
): Person['consent'] {
  if (isGiven === undefined) return null
  if (isGiven && source === undefined) refuse('consentSource', 'customerFile.consentSource')
  const words = source ? checked(consentWords, source, (...problem) => refuse('consentSource', ...problem)) : null
  return isGiven === null || (isGiven && words === null) ? null : { isGiven, words }
}

function bottlesOf(
  { row, values, refuse, refused }: Row,
  types: readonly OpeningType[],
  address: string | null,
): OpeningBottles[] {
  const { bottles, depositPaid = false } = values
  const found: (OpeningBottles & { each: Fils })[] = []
  for (const { id: typeId, name, deposit } of types) {
    const ofType = values[`bottles:${name}`]
    const field = ofType === undefined ? 'bottles' : (`bottles:${name}` as const)
    if (ofType !== undefined && bottles !== undefined) refuse(field, 'customerFile.bottlesTwice')
    const count = ofType ?? bottles
    if (count) found.push({ row, field, typeId, count, deposit: zeroFils, address, each: fromBhd(deposit) })
  }
  // Its bottles are refused already.
  if (refused.has('bottles') || types.some(({ name }) => refused.has(`bottles:${name}`))) return []
  const [only, ...others] = found
  if (typeof depositPaid === 'number' && depositPaid > 0) {
    if (!only) refuse('depositPaid', 'customerFile.depositOfNone')
    else if (others.length > 0) refuse('depositPaid', 'customerFile.depositOfSeveral')
    else return [{ ...only, deposit: fromBhd(depositPaid) }]
  }
  return found.map(({ each, ...one }) => (depositPaid === true ? { ...one, deposit: timesFils(each, one.count) } : one))
}

/**
 * Fills what the first row leaves empty, and adds addresses, tags and notes. Another different value is not taken. A row
 * with too many tags or notes fails and changes nothing.
 */
function mergeInto(first: Person, later: Person, { refuse, keep }: Reports) {
  const tags = [...new Set([...first.tags, ...later.tags])]
  const notes = joinedNotes(first.notes, later.notes)
  if (tags.length > MOST_TAGS) return void refuse('tags', 'validation.tooManyTags')
  if ((notes?.length ?? 0) > LONGEST_NOTE)
    return void refuse('notes', 'validation.textTooLong', { maximum: LONGEST_NOTE })
  const bottles = mergedBottles(first.bottles, later.bottles, refuse)
  if (bottles === null) return
  Object.assign(first, { tags, notes, bottles })
  const differs = (field: CustomerColumn) => keep(field, 'customerFile.repeated', { row: first.row })
  if (first.name === null) first.name = later.name
  else if (later.name !== null && fold(later.name) !== fold(first.name)) differs('name')
  // The area of the customer is that of the first address.
  if (isOtherAddress(first, later)) addAddress(first, later, keep)
  else {
    if (first.address === null && first.addressParts === null) {
      first.address = later.address
      first.addressParts = later.addressParts
    }
    if (first.areaId === null) first.areaId = later.areaId
    else if (later.areaId !== null && later.areaId !== first.areaId) differs('area')
  }
  if (first.consent === null) first.consent = later.consent
  else if (later.consent !== null && later.consent.isGiven !== first.consent.isGiven) differs('marketingConsent')
}

/** A row that repeats the bottles of an earlier one adds nothing; null if it has another number or deposit of them. */
function mergedBottles(
  first: readonly OpeningBottles[],
  later: readonly OpeningBottles[],
  refuse: Reports['refuse'],
): OpeningBottles[] | null {
  const placeOf = ({ typeId, address }: OpeningBottles) => `${typeId} ${fold(address ?? '')}`
  const known = new Map(first.map((one) => [placeOf(one), one]))
  let isSame = true
  for (const one of later) {
    const before = known.get(placeOf(one))
    if (!before) known.set(placeOf(one), one)
    else if (before.count !== one.count || before.deposit !== one.deposit) {
      refuse(one.field, 'customerFile.repeatedBottles', { row: before.row })
      isSame = false
    }
  }
  return isSame ? [...known.values()] : null
}

const isOtherAddress = (first: Person, later: Person) =>
  later.address !== null &&
  (first.address !== null || first.addressParts !== null) &&
  fold(later.address) !== fold(first.address ?? '')

function addAddress({ otherAddresses }: Person, { row, address, addressParts, areaId }: Person, keep: Reports['keep']) {
  if (address === null || otherAddresses.some((one) => fold(one.address) === fold(address))) return
  if (otherAddresses.length + 1 < mostAddresses) otherAddresses.push({ row, address, addressParts, areaId })
  else keep('address', 'customerFile.manyAddresses', { maximum: mostAddresses })
}

function joinedNotes(first: string | null, later: string | null): string | null {
  if (first === null || later === null) return first ?? later
  return first.split('\n').includes(later) ? first : `${first}\n${later}`
}
