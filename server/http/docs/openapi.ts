import { KEY_PREFIX } from '@qatra/contract/api-keys'
import { features, isEndpoint } from '@qatra/contract/api'
import type { AnyEndpoint, Schema } from '@qatra/contract/endpoint'
import { type ErrorCode, errors } from '@qatra/contract/errors'
import { type Allow, rolesAllowed } from '@qatra/contract/users/roles'
import * as z from 'zod/mini'

type Json = Record<string, unknown>

/** Errors that follow from the endpoint's kind, besides those it names. */
export function refusalsOf(endpoint: AnyEndpoint): ErrorCode[] {
  const isChanging = endpoint.method !== 'GET'
  return [
    ...new Set<ErrorCode>([
      'BAD_REQUEST',
      ...(endpoint.query ? (['INVALID_QUERY'] as const) : []),
      ...(endpoint.params ? (['NOT_FOUND'] as const) : []),
      ...(endpoint.allow === 'anyone' ? [] : (['SIGNED_OUT'] as const)),
      ...(endpoint.allow === 'anyone' || endpoint.allow === 'signed-in'
        ? []
        : ([endpoint.deniedAs ?? 'FORBIDDEN'] as const)),
      ...(isChanging ? (['CROSS_ORIGIN', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'TOO_MANY_REQUESTS'] as const) : []),
      ...(endpoint.body ? (['INVALID_BODY'] as const) : []),
      ...(endpoint.errors ?? []),
      'UNAVAILABLE',
      ...(isChanging ? (['DISK_FULL'] as const) : []),
    ]),
  ]
}

const capital = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
const isObject = (value: unknown): value is z.ZodMiniObject => value instanceof z.ZodMiniObject

/** Operations and schemas have the names that the contract gives them, with the feature's before one that is taken. */
const operations = new Map<AnyEndpoint, { operationId: string; tag: string }>()
const named = z.registry<{ id: string }>()
const taken = new Set<string>()
for (const [tag, feature] of Object.entries(features)) {
  for (const [name, value] of Object.entries(feature)) {
    const free = taken.has(capital(name)) ? `${tag}${capital(name)}` : name
    if (isEndpoint(value)) operations.set(value, { operationId: free, tag })
    else if (isObject(value) && !named.has(value)) named.add(value, { id: capital(free) })
    else continue
    taken.add(capital(free))
  }
}

/** Of an endpoint that the contract derives from another one, or that is outside of it: the simulator's. */
function nameOf(endpoint: AnyEndpoint) {
  const { method, path } = endpoint
  const csv = [...operations].find(([one]) => one.path === path.replace(/\.xlsx$/, '.csv') && path.endsWith('.xlsx'))
  if (csv) return { operationId: `${csv[1].operationId}Workbook`, tag: csv[1].tag }
  const [, , tag = '', ...rest] = path.split(/\W+/)
  return operations.get(endpoint) ?? { operationId: [method.toLowerCase(), tag, ...rest].map(capital).join(''), tag }
}

type Io = 'input' | 'output'

/** Collects the named schemas that a document refers to. What is sent has a suffix, since defaults make it another shape. */
function schemaWriter() {
  const schemas: Record<string, Json> = {}
  const suffix = { input: 'Input', output: '' } as const

  function jsonSchema(schema: Schema, io: Io): Json {
    // As a property, so that a schema that is named itself becomes a reference as well.
    const whole = z.toJSONSchema(z.object({ it: schema }), {
      io,
      metadata: named,
      unrepresentable: 'any',
      reused: 'inline',
    })
    const text = JSON.stringify(whole).replaceAll(/"#\/\$defs\/(\w+)"/g, `"#/components/schemas/$1${suffix[io]}"`)
    const { properties, $defs = {} } = JSON.parse(text) as { properties: { it: Json }; $defs?: Record<string, Json> }
    for (const [name, { id: _, ...shape }] of Object.entries($defs)) schemas[`${name}${suffix[io]}`] = shape
    return properties.it
  }
  return { schemas, jsonSchema }
}
type JsonSchema = ReturnType<typeof schemaWriter>['jsonSchema']

/** Parameters from a query or path schema. */
function parameters(schema: Schema | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  })
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: shape,
  }))
}

/** Of endpoints that refuse a key with other input, so that a repeated request acts once. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of the caller, new for each act. The same request under the same key acts once, and gets the same answer',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

/** A form with one file; of tables also how it is to be read. */
const fileForm = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', description: 'The one file of the form' },
    plan: {
      type: 'string',
      description: 'JSON, where a table is imported: columns, repairs and cells that were chosen',
    },
  },
}

/** Describes `allow` in words. */
export function whoMay(allow: Allow): string {
  if (allow === 'anyone') return 'anyone'
  if (allow === 'signed-in') return 'signed-in people'
  return (rolesAllowed(allow) ?? []).join(', ')
}

const refusalRef = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }

function responses(endpoint: AnyEndpoint, jsonSchema: JsonSchema): Json {
  const byStatus = new Map<number, string[]>()
  for (const code of refusalsOf(endpoint)) {
    const [status, message] = errors[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${code}: ${message}`])
  }
  const success =
    endpoint.status === 204
      ? { 204: { description: 'Done; no body' } }
      : {
          200: {
            description: 'Done',
            content: {
              [endpoint.produces?.split(';')[0] ?? 'application/json']: {
                schema: endpoint.produces ? { type: 'string' } : jsonSchema(endpoint.returns, 'output'),
              },
            },
          },
        }
  const failures = [...byStatus].sort(([a], [b]) => a - b)
  return {
    ...success,
    ...Object.fromEntries(
      failures.map(([status, lines]) => [status, { description: lines.join('\n\n'), content: refusalRef }]),
    ),
  }
}

function operation(endpoint: AnyEndpoint, jsonSchema: JsonSchema): Json {
  const { body, accepts = ['application/json'], errors: own = [] } = endpoint
  const { operationId, tag } = nameOf(endpoint)
  const schemaOf = (kind: string) =>
    kind === 'multipart/form-data' ? fileForm : jsonSchema(body ?? z.unknown(), 'input')
  return {
    operationId,
    summary: endpoint.summary,
    description: `For ${whoMay(endpoint.allow)}${endpoint.byKey ? '; open to API keys' : ''}.`,
    tags: [tag],
    security: [
      ...(endpoint.allow === 'anyone' ? [{}] : [{ session: [] }]),
      ...(endpoint.byKey ? [{ key: endpoint.permissions ?? [] }] : []),
    ],
    parameters: [
      ...parameters(endpoint.params, 'path'),
      ...parameters(endpoint.query, 'query'),
      ...(own.includes('IDEMPOTENCY_KEY_REUSED') ? [idempotencyKey] : []),
    ],
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: Object.fromEntries(accepts.map((kind) => [kind, { schema: schemaOf(kind) }])),
      },
    }),
    responses: responses(endpoint, jsonSchema),
  }
}

/** The OpenAPI 3.1 document of the endpoint table. */
export function openApiDocument(endpoints: readonly AnyEndpoint[], origin: string, sessionCookie: string): Json {
  const paths: Record<string, Json> = {}
  const { schemas, jsonSchema } = schemaWriter()
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint, jsonSchema) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Qatra',
      version: '1.0.0',
      description:
        'JSON, for pages with a cookie, for programs with an API key that an admin makes. Money is a number in BHD with at most three decimals, times are ISO with milliseconds. ' +
        'A refusal names its `code`; `message` is fixed for it, `details.fields` speaks the language of the request.',
    },
    servers: [{ url: origin }],
    tags: [...new Set(endpoints.map((endpoint) => nameOf(endpoint).tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        key: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: `${KEY_PREFIX}…`,
          description:
            'An API key of the admin area. It opens the operations that name it, within its vendor and permissions',
        },
      },
      schemas: {
        ...schemas,
        Refusal: {
          type: 'object',
          required: ['code', 'message', 'details'],
          properties: {
            code: { type: 'string', enum: Object.keys(errors) },
            message: { type: 'string' },
            details: {
              type: 'object',
              properties: { fields: { type: 'object', additionalProperties: { type: 'string' } } },
            },
          },
        },
      },
    },
  }
}
