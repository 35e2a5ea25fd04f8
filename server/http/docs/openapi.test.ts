import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { errors } from '@qatra/contract/errors'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { endpoints } from '../../test/endpoints.ts'

interface Operation {
  operationId: string
  tags: string[]
  security: Record<string, string[]>[]
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> }
  summary: string
  responses: Record<string, { description: string }>
  parameters: { name: string; in: string }[]
}
const shop = await startShop({ role: 'web' })
const run = promisify(execFile)
async function documentOf() {
  const { body } = await shop.visitor().send('GET', '/api/openapi.json')
  return body as { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, object> } }
}

/** What a program of somebody else writes. A line below the comment must be an error. */
const program = `
import type { components, operations } from './client'
type Body = operations['placeSalesOrder']['requestBody']['content']['application/json']
const body: Body = {
  phone: '+97336000006',
  customerName: 'Noura',
  address: 'Building 1172, Seef',
  mapCoordinates: { lat: 26.2371, lng: 50.5417 },
  items: [{ productId: 1, quantity: 2 }],
}
export async function place(key: string): Promise<string> {
  const headers = { authorization: 'Bearer ' + key, 'idempotency-key': 'order-1', 'content-type': 'application/json' }
  const answer = await fetch('/api/sales/orders', { method: 'POST', headers, body: JSON.stringify(body) })
  type Placed = operations['placeSalesOrder']['responses'][200]['content']['application/json']
  return ((await answer.json()) as Placed).id
}
export const total = (order: components['schemas']['AdminOrder']): number => order.total
// @ts-expect-error: the client knows that a total is a number
export const wrong = (order: components['schemas']['AdminOrder']): string => order.total
`

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

describe('the endpoint table', () => {
  it('has each endpoint once', () => {
    const keys = endpoints.map(keyOf)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('declares only properties that an endpoint has', () => {
    // A misspelled `permissions` in a shared constant would open the endpoint without a type error.
    const known: Record<keyof Required<AnyEndpoint>, true> = {
      method: true,
      path: true,
      allow: true,
      permissions: true,
      deniedAs: true,
      forbidWhileImpersonating: true,
      byKey: true,
      summary: true,
      params: true,
      query: true,
      body: true,
      returns: true,
      produces: true,
      isTable: true,
      isStream: true,
      accepts: true,
      status: true,
      errors: true,
    }
    const stray = endpoints.flatMap((endpoint) =>
      Object.keys(endpoint)
        .filter((name) => !(name in known))
        .map((name) => `${endpoint.method} ${endpoint.path}: ${name}`),
    )
    expect(stray).toEqual([])
  })

  it('equals the set of served routes', () => {
    expect([...shop.app.served.keys()].sort()).toEqual(endpoints.map(keyOf).sort())
  })
})

describe('the OpenAPI document', () => {
  it('has every endpoint with its errors and parameters', async () => {
    const { status, body, headers } = await shop.visitor().send('GET', '/api/openapi.json')
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('application/json')
    const { openapi, paths } = body as { openapi: string; paths: Record<string, Record<string, Operation>> }
    expect(openapi).toBe('3.1.0')
    for (const endpoint of endpoints) {
      const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()]
      expect(operation?.summary).toBe(endpoint.summary)
      for (const code of endpoint.errors ?? []) {
        expect(operation?.responses[errors[code][0]]?.description).toContain(`${code}: `)
      }
      for (const [, name] of endpoint.path.matchAll(/\{(\w+)\}/g)) {
        expect(operation?.parameters).toContainEqual(expect.objectContaining({ name, in: 'path' }))
      }
    }
  })

  it('names every operation and schema, once, and says what needs a key, a file or an idempotency key', async () => {
    const { paths, components } = await documentOf()
    const all = Object.values(paths).flatMap((operations) => Object.values(operations))
    const ids = all.map(({ operationId }) => operationId)
    expect(ids.filter((id, at) => !/^\w+$/.test(id) || ids.indexOf(id) !== at)).toEqual([])
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(['AdminOrder', 'ApiKey', 'Refusal']))
    for (const [ref = ''] of JSON.stringify(paths).matchAll(/#\/components\/schemas\/\w+/g))
      expect(components.schemas).toHaveProperty(ref.replace('#/components/schemas/', ''))
    const sale = paths['/api/sales/orders']?.post
    expect([sale?.operationId, sale?.tags]).toEqual(['placeSalesOrder', ['sales']])
    expect(sale?.security).toContainEqual({ key: ['sales.place'] })
    expect(sale?.parameters).toContainEqual(expect.objectContaining({ name: 'Idempotency-Key', in: 'header' }))
    const upload = paths['/api/admin/media']?.post?.requestBody?.content
    expect(upload?.['multipart/form-data']?.schema).toMatchObject({ properties: { file: { format: 'binary' } } })
  })

  it('gives a typed client that compiles', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'qatra-client-'))
    const at = (name: string) => join(folder, name)
    await writeFile(at('openapi.json'), JSON.stringify(await documentOf()))
    await writeFile(at('program.ts'), program)
    const bin = (name: string) => join(import.meta.dirname, '../../..', name)
    await run(bin('server/node_modules/.bin/openapi-typescript'), [at('openapi.json'), '-o', at('client.ts')])
    const compiled = run(bin('node_modules/.bin/tsc'), [
      '--ignoreConfig',
      '--strict',
      '--noEmit',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
      at('program.ts'),
    ])
    await expect(compiled).resolves.toMatchObject({ stdout: '' })
    await rm(folder, { recursive: true })
  })

  it('has an HTML page without scripts', async () => {
    const { status, body, headers } = await shop.visitor().send('GET', '/api/docs')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toContain("style-src 'self'")
    expect(String(body)).not.toMatch(/<script|<style| style=| on\w+=/)
    for (const { path } of endpoints) expect(String(body)).toContain(path)
    expect((await shop.visitor().send('GET', '/api/docs.css')).headers['content-type']).toContain('text/css')
  })
})
