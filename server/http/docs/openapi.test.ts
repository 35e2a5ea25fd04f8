import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { errors } from '@qatra/contract/errors'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { endpoints } from '../../test/endpoints.ts'

interface Operation {
  summary: string
  responses: Record<string, { description: string }>
  parameters: { name: string; in: string }[]
}
const shop = await startShop({ role: 'web' })
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

  it('has an HTML page without scripts', async () => {
    const { status, body, headers } = await shop.visitor().send('GET', '/api/docs')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toContain("style-src 'self'")
    expect(String(body)).not.toMatch(/<script|<style| style=| on\w+=/)
    for (const { path } of endpoints) expect(String(body)).toContain(path)
    expect((await shop.visitor().send('GET', '/api/docs.css')).headers['content-type']).toContain('text/css')
  })
})
