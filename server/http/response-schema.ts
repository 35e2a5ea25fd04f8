import type { Schema } from '@qatra/contract/endpoint'
import type * as z from 'zod/mini'

type Trim = (value: unknown) => unknown

type Def = z.core.$ZodTypes['_zod']['def']
const defOf = (schema: z.core.$ZodType): Def => (schema as z.core.$ZodTypes)._zod.def // every schema of the contract is one of these

const compiled = new WeakMap<z.core.$ZodType, Trim | null>()

/**
 * Compiles a schema to a function that strips unknown fields from responses, so that a new column is not sent before the
 * contract contains it. Does not validate values: tsc checks the types, and a wrong value is better than an error.
 */
export function trimToSchema(schema: Schema): Trim {
  return trimmerOf(schema) ?? whole
}

const whole: Trim = (value) => value

/** Null if the schema has no objects, so that lists of numbers are not copied. */
function trimmerOf(schema: z.core.$ZodType): Trim | null {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const cut = compile(defOf(schema))
  compiled.set(schema, cut)
  return cut
}

function compile(def: Def): Trim | null {
  switch (def.type) {
    case 'object':
      return trimObject(def.shape)
    case 'array':
      return trimList(trimmerOf(def.element))
    case 'record':
      return trimRecord(trimmerOf(def.valueType))
    case 'nullable':
    case 'optional':
      return trimmerOf(def.innerType)
    case 'union':
      return trimUnion(def)
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'void':
    case 'literal':
    case 'enum':
    case 'unknown':
    case 'tuple':
    case 'custom':
      return null
    default:
      throw new Error(`Responses of type ${def.type} cannot be stripped to their schema`)
  }
}

function trimObject(shape: Readonly<Record<string, z.core.$ZodType>>): Trim {
  const fields = Object.entries(shape).map(([name, schema]) => [name, trimmerOf(schema)] as const)
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const given = value as Readonly<Record<string, unknown>>
    const kept: Record<string, unknown> = {}
    for (const [name, cut] of fields) {
      const field = given[name]
      if (field !== undefined) kept[name] = cut ? cut(field) : field
    }
    return kept
  }
}

const trimList = (cut: Trim | null): Trim | null =>
  cut && ((value) => (Array.isArray(value) ? value.map((each) => cut(each)) : value))

const trimRecord = (cut: Trim | null): Trim | null =>
  cut &&
  ((value) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cut(each)]))
      : value)

/** Selects the option by the discriminator; an object that matches no option is sent as null. */
function trimUnion(def: z.core.$ZodUnionDef | z.core.$ZodDiscriminatedUnionDef): Trim | null {
  if (def.options.every((option) => trimmerOf(option) === null)) return null
  if (!('discriminator' in def)) throw new Error('A union of objects in a response needs a discriminator')
  const { discriminator } = def
  const cuts = new Map(
    def.options.flatMap((option) => {
      const kinds = [...(option._zod.propValues?.[discriminator] ?? [])]
      return kinds.map((kind) => [kind as unknown, trimmerOf(option) ?? whole] as const)
    }),
  )
  return (value) => {
    const kind = (value as Readonly<Record<string, unknown>> | null)?.[discriminator]
    const cut = cuts.get(kind)
    return cut ? cut(value) : null
  }
}
