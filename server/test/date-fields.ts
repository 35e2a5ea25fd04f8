import type { AnyEndpoint } from '@qatra/contract/endpoint'
import type { Sent } from './matrix-row.ts'

type Place = 'params' | 'query' | 'body'

export interface DateField {
  place: Place
  /** From the outermost key inwards. */
  path: readonly string[]
  kind: 'day' | 'instant'
}

/** The parts of a zod schema's definition that lead to further schemas. */
interface Schema {
  safeParse(value: unknown): { success: boolean }
  _zod: { def: { shape?: Record<string, Schema>; innerType?: Schema; element?: Schema } }
}

const someDay = '2026-11-22'
const someInstant = '2026-11-22T10:00:00Z'
/** No date, but right for free text, searches, phones, ids and numbers. */
const noDates = ['zzzz zzzz', '36000001', '7', 'abcdefghijklmnopqrst']

function kindOf(schema: Schema): DateField['kind'] | null {
  const takes = (value: string) => schema.safeParse(value).success
  if (noDates.some(takes)) return null
  if (takes(someInstant)) return 'instant'
  return takes(someDay) ? 'day' : null
}

type Field = Pick<DateField, 'place' | 'path'> & { schema: Schema }

function fieldsIn(schema: Schema, place: Place, path: readonly string[]): Field[] {
  const { shape, innerType, element } = schema._zod.def
  if (shape) return Object.entries(shape).flatMap(([name, inner]) => fieldsIn(inner, place, [...path, name]))
  if (innerType) return fieldsIn(innerType, place, path)
  if (element) return fieldsIn(element, place, [...path, '0'])
  return [{ place, path, schema }]
}

/** Every single value that an endpoint takes. */
export function fieldsOf({ params, query, body }: AnyEndpoint): Field[] {
  return Object.entries({ params, query, body }).flatMap(([place, schema]) =>
    schema ? fieldsIn(schema as unknown as Schema, place as Place, []) : [],
  )
}

/** Every date and instant that an endpoint takes: found by what the schema accepts, not by which type it is made of. */
export const dateFieldsOf = (endpoint: AnyEndpoint): DateField[] =>
  fieldsOf(endpoint).flatMap(({ schema, ...field }) => {
    const kind = kindOf(schema)
    return kind === null ? [] : [{ ...field, kind }]
  })

/** The call with another value for this field. */
export function withDate(sent: Sent, { place, path }: DateField, value: string): Sent {
  const set = (target: unknown, [key = '', ...rest]: readonly string[]): unknown => {
    if (key === '0') return [rest.length === 0 ? value : set({}, rest)]
    const before = typeof target === 'object' && target !== null ? (target as Record<string, unknown>) : {}
    return { ...before, [key]: rest.length === 0 ? value : set(before[key], rest) }
  }
  return { ...sent, [place]: set(sent[place], path) } // only that place changes
}

/** Days that no order, delivery or closure is of, and texts that only look like days. */
export const edgeDays = [
  ...['0000-01-01', '0001-01-01', '0099-12-31', '1582-10-10', '1969-12-31', '1999-12-31'],
  ...['2101-01-01', '9999-12-30', '9999-12-31', '10000-01-01', '+010000-01-01', '-000001-12-31', '-271821-04-20'],
  ...['2026-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-00-10', '2026-11-00', '2100-02-29'],
  ...['2026-1-1', '20261122', '2026-W47-7', 'infinity', '-infinity', 'epoch', 'now', 'today', '٢٠٢٦-١١-٢٢', ''],
  someInstant,
]
export const edgeInstants = [
  ...edgeDays.filter((day) => day !== someInstant).flatMap((day) => [day, `${day}T00:00:00Z`]),
  ...['1999-12-31T20:59:59.999Z', '2100-12-31T21:00:00Z', '2100-12-31T23:59:59-23:59', '2000-01-01T00:00:00+23:59'],
  ...['2026-11-22T24:00:00Z', '2026-11-22T23:59:60Z', '2026-11-22T10:00:00+24:00', '2026-11-22T10:00:00'],
]

/** Dates at the very borders, which are taken. */
export const borderDays = ['2000-01-01', '2000-02-29', '2100-12-31']
export const borderInstants = [
  ...['1999-12-31T21:00:00Z', '2000-01-01T00:00:00+03:00', '2100-12-31T20:59:59.999Z', '2100-12-31T23:59:59+03:00'],
  `2026-11-22T10:00:00.${'1'.repeat(200)}Z`,
]
