// @vitest-environment node
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { build, type Plugin, type Rolldown } from 'vite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { firstVisit, lightPreload } from './first-visit.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(resolve(tmpdir(), 'first-visit-'))
  const write = (name: string, text: string) => writeFileSync(resolve(folder, name), text)
  const letters = (length: number) => `export const text = ${JSON.stringify('x'.repeat(length))}`
  write('shared.js', letters(100))
  write('home.js', `import { text } from './shared.js'; console.log('home', text)`)
  write('later.js', letters(800))
  write('words.ar.js', letters(300))
  write('words.en.js', letters(200))
  write(
    'entry.js',
    `import { text } from './shared.js'
     console.log(text, import('./home.js'), import('./later.js'), import('./words.ar.js'), import('./words.en.js'))`,
  )
})
afterEach(() => rmSync(folder, { recursive: true }))

const built = (limit: number, page = 'home.js') =>
  build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    plugins: [firstVisit({ page, messages: ['words.ar.js', 'words.en.js'], limit })],
    build: { write: false, modulePreload: false, rolldownOptions: { input: resolve(folder, 'entry.js') } },
  })

describe('the limit of the first visit', () => {
  it('passes if entry, page and messages are within it; pages that load later do not count', async () => {
    await expect(built(1_400)).resolves.toBeTruthy()
  })

  it('fails the build with the size of each file if one language exceeds it', async () => {
    const failure = await built(1_200).then(
      () => '',
      (error: unknown) => String(error),
    )
    expect(failure).toMatch(/The first visit loads \d+ bytes of JavaScript, more than 1200/)
    for (const name of ['entry', 'home', 'words.ar']) expect(failure).toContain(`assets/${name}-`)
    for (const name of ['later', 'words.en']) expect(failure).not.toContain(`assets/${name}-`)
  })

  it('fails the build if the page is in no chunk', async () => {
    await expect(built(1_400, 'gone.js')).rejects.toThrow('gone.js')
  })
})

it('lightPreload takes the place of the helper by which Vite loads the parts of a lazy chunk', async () => {
  writeFileSync(resolve(folder, 'later.css'), 'p { color: red }')
  writeFileSync(resolve(folder, 'later.js'), `import './later.css'`)
  const scriptsOf = async (plugins: Plugin[]) => {
    const input = { rolldownOptions: { input: resolve(folder, 'entry.js') } }
    const result = await build({
      configFile: false,
      logLevel: 'silent',
      root: folder,
      plugins,
      build: { write: false, ...input },
    })
    const { output } = result as Rolldown.RolldownOutput
    return output.map((one) => (one.type === 'chunk' ? one.code : '')).join('\n')
  }
  expect(await scriptsOf([])).toContain('csp-nonce')
  const scripts = await scriptsOf([lightPreload()])
  expect(scripts).not.toContain('csp-nonce')
  expect(scripts).toMatch(/assets\/later-[\w-]+\.css/)
})
