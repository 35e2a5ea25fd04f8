// @vitest-environment node
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { build } from 'vite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lightContract } from './contract.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(resolve(tmpdir(), 'light-'))
  writeFileSync(
    resolve(folder, 'things.ts'),
    `const shape = (name: string) => { (globalThis as any).made?.push(name); return { name } }
     export const endpoint = (declared: object) => declared as any
     const answer = shape('the answer')
     export const getThing = endpoint({ method: 'GET', path: '/api/thing', returns: answer, summary: 'of no use here',
       errors: ['FORBIDDEN_THING'], permissions: ['things.read'] })
     export const putThing = endpoint({ method: 'PUT', path: '/api/thing', body: shape('unchecked'), returns: answer })
     export const addThing = endpoint({ method: 'POST', path: '/api/thing', body: shape('checked'), returns: answer })
     export const unused = shape('unused')`,
  )
})
afterEach(() => rmSync(folder, { recursive: true }))

async function chunksOf(page: string) {
  const entry = resolve(folder, 'page.tsx')
  writeFileSync(entry, page)
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    plugins: [lightContract(folder, folder)],
    build: { write: false, minify: false, rolldownOptions: { input: entry } },
  })
  const { output } = [result].flat()[0] as { output: { code?: string; isEntry?: boolean }[] }
  return output
}
const built = async (page: string) => (await chunksOf(page)).map(({ code }) => code ?? '').join('\n')

describe('contract in the browser builds', () => {
  it('keeps method and path, and removes the other properties of an endpoint', async () => {
    const code = await built(`import { getThing, putThing } from './things.ts'; console.log(getThing, putThing)`)
    expect(code).toContain('/api/thing')
    expect(code).toContain('PUT')
    const others = ['the answer', 'of no use here', 'FORBIDDEN_THING', 'things.read', 'unchecked', 'unused', 'POST']
    for (const other of [...others, 'summary', 'errors', 'returns']) expect(code).not.toContain(other)
  })

  it('keeps a body that a form validates', async () => {
    const code = await built(`import { addThing } from './things.ts'; console.log(addThing, addThing.body.parse)`)
    expect(code).toContain("'checked'".replaceAll("'", '"'))
  })

  it('moves zod schemas to a module of the pages that use them, and keeps the rest of the file', async () => {
    writeFileSync(resolve(folder, 'zod.ts'), `export const object = (name: string) => ({ made: 'by zod', name })`)
    writeFileSync(
      resolve(folder, 'people.ts'),
      `import * as z from './zod.ts'
       const person = z.object('a person')
       export const isNamed = (name: string) => name !== 'nobody'
       export const checkPerson = (name: string) => isNamed(name) && person`,
    )
    writeFileSync(
      resolve(folder, 'form.tsx'),
      `import { checkPerson } from './people.ts'; console.log(checkPerson('form'))`,
    )
    const chunks = await chunksOf(
      `import { isNamed } from './people.ts'; console.log(isNamed('page')); void import('./form.tsx')`,
    )
    const [first, later] = [true, false].map((entry) =>
      chunks.flatMap(({ code, isEntry }) => (isEntry === entry ? [code] : [])).join(),
    )
    expect(first).toContain('nobody')
    expect(first).not.toContain('by zod')
    expect(later).toContain('by zod')
    expect(later).toContain('a person')
  })

  it('fails the build if the first load imports zod', async () => {
    writeFileSync(resolve(folder, 'zod.ts'), `export const object = (name: string) => ({ made: 'by zod', name })`)
    writeFileSync(
      resolve(folder, 'people.ts'),
      `import * as z from './zod.ts'; export const person = z.object('a person')`,
    )
    writeFileSync(resolve(folder, 'form.tsx'), `import { person } from './people.ts'; export const form = person`)
    const page = `import { person } from './people.ts'; console.log(person, () => import('./form.tsx'))`
    await expect(chunksOf(page)).rejects.toThrow('zod')
  })
})
