import type { AnyEndpoint } from '@qatra/contract/endpoint'
import * as z from 'zod/mini'
import type { Sent } from '../matrix/row.ts'

type Place = 'params' | 'query' | 'body'

export interface DateField {
  place: Place
  /** Keys from the outermost to the innermost. */
  path: readonly string[]
  kind: 'day' | 'instant'
}

type Schema = z.core.$ZodType

const someDay = '2026-11-22'
const someInstant = '2026-11-22T10:00:00Z'
/** Valid as free text, search, phone, id or number, but not as a date. */
const noDates = ['zzzz zzzz', '36000001', '7', 'abcdefghijklmnopqrst']

function kindOf(schema: Schema): DateField['kind'] | null {
  const takes = (value: string) => z.safeParse(schema, value).success
  if (noDates.some(takes)) return null
  if (takes(someInstant)) return 'instant'
  return takes(someDay) ? 'day' : null
}

type Field = Pick<DateField, 'place' | 'path'> & { schema: Schema }

function fieldsIn(schema: Schema, place: Place, path: readonly string[]): Field[] {
  const { def } = (schema as z.core.$ZodTypes)._zod // every schema of the contract is one of these
  if ('shape' in def)
    return Object.entries(def.shape).flatMap(([name, inner]) => fieldsIn(inner, place, [...path, name]))
  if ('innerType' in def) return fieldsIn(def.innerType, place, path)
  if ('element' in def) return fieldsIn(def.element, place, [...path, '0'])
  return [{ place, path, schema }]
}

/** All scalar fields of an endpoint's input. */
export function fieldsOf({ params, query, body }: AnyEndpoint): Field[] {
  const places: [Place, Schema | undefined][] = [
    ['params', params],
    ['query', query],
    ['body', body],
  ]
  return places.flatMap(([place, schema]) => (schema ? fieldsIn(schema, place, []) : []))
}

/** All date and instant fields of an endpoint, found by the values their schema accepts rather than by its type. */
export const dateFieldsOf = (endpoint: AnyEndpoint): DateField[] =>
  fieldsOf(endpoint).flatMap(({ schema, ...field }) => {
    const kind = kindOf(schema)
    return kind === null ? [] : [{ ...field, kind }]
  })

/** Copies the call with another value for this field. */
export function withDate(sent: Sent, { place, path }: DateField, value: string): Sent {
  const set = (target: unknown, [key = '', ...rest]: readonly string[]): unknown => {
    if (key === '0') return [rest.length === 0 ? value : set({}, rest)]
    const before = typeof target === 'object' && target !== null ? (target as Record<string, unknown>) : {}
    return { ...before, [key]: rest.length === 0 ? value : set(before[key], rest) }
  }
  return { ...sent, [place]: set(sent[place], path) } // other fields keep their types
}

/** Dates out of range, and texts that resemble dates. */
export const edgeDays = [
  '0000-01-01',
  '0001-01-01',
  '0099-12-31',
  '1582-10-10',
  '1969-12-31',
  '1999-12-31',
  '2101-01-01',
  '9999-12-30',
  '9999-12-31',
  '10000-01-01',
  '+010000-01-01',
  '-000001-12-31',
  '-271821-04-20',
  '2026-02-29',
  '2026-02-30',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-11-00',
  '2100-02-29',
  '2026-1-1',
  '20261122',
  '2026-W47-7',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  'today',
  '٢٠٢٦-١١-٢٢',
  '',
  someInstant,
]
export const edgeInstants = [
  ...edgeDays.filter((day) => day !== someInstant).flatMap((day) => [day, `${day}T00:00:00Z`]),
  '1999-12-31T20:59:59.999Z',
  '2100-12-31T21:00:00Z',
  '2100-12-31T23:59:59-23:59',
  '2000-01-01T00:00:00+23:59',
  '2026-11-22T24:00:00Z',
  '2026-11-22T23:59:60Z',
  '2026-11-22T10:00:00+24:00',
  '2026-11-22T10:00:00',
]

/** The first and last accepted dates. */
export const borderDays = ['2000-01-01', '2000-02-29', '2100-12-31']
export const borderInstants = [
  '1999-12-31T21:00:00Z',
  '2000-01-01T00:00:00+03:00',
  '2100-12-31T20:59:59.999Z',
  '2100-12-31T23:59:59+03:00',
  `2026-11-22T10:00:00.${'1'.repeat(200)}Z`,
]
