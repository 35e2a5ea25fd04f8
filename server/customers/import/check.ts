import { setImmediate as breathe } from 'node:timers/promises'
import { westernDigits } from '@qatra/contract/lib/digits'
import { fieldWords } from '@qatra/contract/lib/fields'
import { addressText, customerName, fold, freeText, lineText } from '@qatra/contract/lib/text'
import type { BulkFailure } from '@qatra/contract/lib/upload'
import { mostAddresses } from '@qatra/contract/users/addresses'
import type { AddressParts } from '@qatra/contract/users/auth'
import { MOST_TAGS, tagText } from '@qatra/contract/users/customers'
import { type CustomerColumn, customerColumns } from '@qatra/contract/users/customers-import'
import type * as z from 'zod/mini'
import { shownValue, withoutEscape, yesOrNo } from '../../lib/table-file/cells.ts'
import type { Table, TableRow } from '../../lib/table-file/table.ts'
import type { Translator } from '../../lib/translate.ts'
import { readPhonesCell } from './phone-cell.ts'

export interface OtherAddress {
  row: number
  address: string
  addressParts: AddressParts | null
  areaId: number | null
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
}

export interface CheckedFile {
  people: Person[]
  failed: BulkFailure[]
  /** Values that are not taken: of repeated phones, and unknown areas. */
  kept: BulkFailure[]
}

interface Rules {
  words: Translator
  /** Writes addresses made of their parts. */
  addressWords: Translator
  findArea: (name: string) => { id: number; name: string } | null
}

/** Rows between two yields to the event loop. */
const AT_ONCE = 200
const LONGEST_NOTE = 1000

type Refuse = (field: CustomerColumn | 'row', key: string, values?: Record<string, number>) => void

/** Checks each row alone, then merges the rows of one phone. */
export async function checkRows(
  { rows }: Pick<Table<CustomerColumn>, 'rows'>,
  rules: Rules,
  signal: AbortSignal,
): Promise<CheckedFile> {
  const byPhone = new Map<string, Person>()
  const failed: BulkFailure[] = []
  const kept: BulkFailure[] = []
  for (const [i, row] of rows.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await breathe(undefined, { signal })
    const addTo =
      (list: BulkFailure[]): Refuse =>
      (field, key, values) =>
        void list.push({
          row: row.row,
          field,
          reason: rules.words(key, values),
          ...(field === 'row' ? {} : shownValue(row.values[field])),
        })
    const before = failed.length
    const keptHere: BulkFailure[] = []
    const person = readPerson(row, rules, { refuse: addTo(failed), keep: addTo(keptHere) })
    if (!person || failed.length > before) continue
    kept.push(...keptHere)
    const first = byPhone.get(person.phone)
    if (!first) byPhone.set(person.phone, person)
    else mergeInto(first, person, { refuse: addTo(failed), keep: addTo(kept) })
  }
  return { people: [...byPhone.values()], failed, kept }
}

const isFormula = (cell: string) => /^ *[=@\t\r]/.test(cell)

function readPerson(
  { row, values, isMisshapen }: TableRow<CustomerColumn>,
  rules: Rules,
  { refuse, keep }: Record<'refuse' | 'keep', Refuse>,
) {
  if (isMisshapen) refuse('row', 'customerFile.extraCells')
  const cells: { [column in CustomerColumn]?: string } = {}
  for (const column of customerColumns) {
    const written = values[column] ?? ''
    if (isFormula(written)) refuse(column, 'customerFile.formula')
    else cells[column] = withoutEscape(written).trim()
  }
  const read = <T>(column: CustomerColumn, schema: z.ZodMiniType<T>): T | null => {
    const text = cells[column]
    return text ? checked(schema, text, (key, about) => refuse(column, key, about)) : null
  }
  const phone = readPhone(cells.phone, refuse)
  const area = cells.area ? rules.findArea(cells.area) : null
  if (cells.area && !area) keep('area', 'customerFile.area')
  const parts = readParts(cells, refuse)
  // An area that is not known stays readable in the address.
  const areaName = area?.name ?? cells.area ?? ''
  const address = read('address', addressText) ?? composedAddress(rules.addressWords, areaName, parts)
  const notes = joinedNotes(read('notes', freeText(LONGEST_NOTE)), otherPhones(phone, rules))
  if ((notes?.length ?? 0) > LONGEST_NOTE) refuse('notes', 'validation.textTooLong', { maximum: LONGEST_NOTE })
  const person = {
    row,
    name: read('name', customerName(1)),
    address,
    addressParts: parts,
    otherAddresses: [],
    areaId: area?.id ?? null,
    tags: readTags(cells.tags, refuse),
    notes,
    consent: readConsent(cells, refuse),
  }
  return phone === null ? null : { ...person, phone: phone.phone }
}

function checked<T>(
  schema: z.ZodMiniType<T>,
  text: unknown,
  refuse: (key: string, values?: Record<string, number>) => void,
) {
  const result = schema.safeParse(text)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (issue) {
    const { key, values } = fieldWords(issue)
    refuse(key, values)
  }
  return null
}

interface Phones {
  phone: string
  /** Further numbers of the cell. */
  others: string[]
}

function readPhone(text: string | undefined, refuse: Refuse): Phones | null {
  if (text === undefined) return null
  if (text === '') refuse('phone', 'validation.required')
  else {
    const read = readPhonesCell(text)
    if ('phone' in read) return read
    refuse('phone', read.problem)
  }
  return null
}

const otherPhones = (phones: Phones | null, { addressWords }: Rules): string | null =>
  phones && phones.others.length > 0
    ? addressWords('customerFile.otherPhones', { numbers: phones.others.join('، ') })
    : null

const partNames = ['block', 'road', 'building', 'flat'] as const
const partTexts = {
  block: lineText(10),
  road: lineText(20),
  building: lineText(20),
  flat: lineText(20),
} satisfies Record<keyof AddressParts, unknown>

function readParts(cells: { [column in CustomerColumn]?: string }, refuse: Refuse): AddressParts | null {
  const parts: AddressParts = {}
  for (const name of partNames) {
    const text = cells[name]
    if (!text) continue
    const part = checked(partTexts[name], westernDigits(text), (key, about) => refuse(name, key, about))
    if (part !== null) parts[name] = part
  }
  return Object.keys(parts).length > 0 ? parts : null
}

/** The address that the checkout would write; null if it is too short for one. */
function composedAddress(words: Translator, area: string, parts: AddressParts | null): string | null {
  if (parts === null) return null
  const named = partNames.flatMap((name) =>
    parts[name] === undefined ? [] : [words(`customerFile.part.${name}`, { value: parts[name] })],
  )
  return addressText.safeParse([...(area === '' ? [] : [area]), ...named].join('، ')).data ?? null
}

function readTags(text: string | undefined, refuse: Refuse): string[] {
  const tags = new Set<string>()
  for (const piece of (text ?? '').split(/[;,،؛|\n]/)) {
    if (piece.trim() === '') continue
    const tag = checked(tagText, piece, (key, about) => refuse('tags', key, about))
    if (tag !== null) tags.add(tag)
  }
  if (tags.size > MOST_TAGS) refuse('tags', 'validation.tooManyTags')
  return [...tags]
}

const agreed = new Set(['agreed', 'موافق', 'وافق'].map(fold))
const declined = new Set(['not agreed', 'declined', 'غير موافق', 'لم يوافق', 'رفض'].map(fold))

/** A consent needs the words that tell how it was given; a refusal needs none. */
function readConsent(
  { marketingConsent: text, consentSource: source }: { [column in CustomerColumn]?: string },
  refuse: Refuse,
): Person['consent'] {
  if (!text) return null
  const isGiven = agreed.has(fold(text)) ? true : declined.has(fold(text)) ? false : yesOrNo(text)
  if (isGiven === null) refuse('marketingConsent', 'customerFile.consent')
  else if (isGiven && source === '') refuse('consentSource', 'customerFile.consentSource')
  const words = source ? checked(lineText(200), source, (key, about) => refuse('consentSource', key, about)) : null
  return isGiven === null || (isGiven && words === null) ? null : { isGiven, words }
}

/**
 * Fills what the first row leaves empty, and adds addresses, tags and notes. Another different value is not taken. A row
 * with too many tags or notes fails and changes nothing.
 */
function mergeInto(first: Person, later: Person, { refuse, keep }: Record<'refuse' | 'keep', Refuse>) {
  const tags = [...new Set([...first.tags, ...later.tags])]
  const notes = joinedNotes(first.notes, later.notes)
  if (tags.length > MOST_TAGS) return refuse('tags', 'validation.tooManyTags')
  if ((notes?.length ?? 0) > LONGEST_NOTE) return refuse('notes', 'validation.textTooLong', { maximum: LONGEST_NOTE })
  Object.assign(first, { tags, notes })
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

const isOtherAddress = (first: Person, later: Person) =>
  later.address !== null &&
  (first.address !== null || first.addressParts !== null) &&
  fold(later.address) !== fold(first.address ?? '')

function addAddress({ otherAddresses }: Person, { row, address, addressParts, areaId }: Person, keep: Refuse) {
  if (address === null || otherAddresses.some((one) => fold(one.address) === fold(address))) return
  if (otherAddresses.length + 1 < mostAddresses) otherAddresses.push({ row, address, addressParts, areaId })
  else keep('address', 'customerFile.manyAddresses', { maximum: mostAddresses })
}

function joinedNotes(first: string | null, later: string | null): string | null {
  if (first === null || later === null) return first ?? later
  return first.split('\n').includes(later) ? first : `${first}\n${later}`
}
