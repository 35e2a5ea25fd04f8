import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { settings } from './settings.ts'
import { describeSettings } from './settings-page.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'qatra-env-'))
const example = readFileSync(join(import.meta.dirname, '../../deploy/env.example'), 'utf8')
const lines = [...example.matchAll(/^(#?)([A-Z][A-Z_]+)=(.*)$/gm)].map(([, mark, name = '', value = '']) => ({
  name,
  value,
  isOptional: mark === '#',
}))

/** Names of all settings that readConfig reads. */
function askedFor(env: Record<string, string>): string[] {
  const names = new Set<string>()
  const asked = new Proxy<Record<string, string>>(env, {
    get(target, name: string) {
      names.add(name)
      return target[name]
    },
  })
  try {
    readConfig(asked)
  } catch {
    // Missing settings are expected; only the names that were read matter.
  }
  return [...names]
}

const simulator = { DATA_DIR: dataDir, WHATSAPP_PROVIDER: 'simulator' }
const cloud = { DATA_DIR: dataDir, WHATSAPP_PROVIDER: 'cloud', SMS_PROVIDER: 'http' }
const namesRead = [...new Set([...askedFor(simulator), ...askedFor(cloud)])].sort()

describe('the table of settings', () => {
  it('lists exactly the variables that readConfig reads', () => {
    expect(Object.keys(settings).sort()).toEqual(namesRead)
  })
})

describe('docs/settings.md', () => {
  it('is what the table of settings generates', () => {
    expect(readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8')).toBe(describeSettings())
  })
})

describe('deploy/env.example', () => {
  it('lists exactly the existing settings', () => {
    expect(lines.map(({ name }) => name).sort()).toEqual(Object.keys(settings).sort())
  })

  it('starts with the values filled in as its comments say', () => {
    const given = Object.fromEntries(lines.filter((line) => !line.isOptional).map(({ name, value }) => [name, value]))
    const empty = Object.keys(given).filter((name) => given[name] === '')
    expect(empty).toEqual(['SECRET_KEY'])
    const config = readConfig({
      ...given,
      DATA_DIR: dataDir,
      SECRET_KEY: 'Zk3mQ9rT1vX7yB5nD2hJ8pL4sW6cF0gA',
    })
    expect([config.isSecure, config.simulator, config.seedDemo]).toEqual([true, false, false])
  })
})
