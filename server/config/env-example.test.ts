import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

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
const settings = [...new Set([...askedFor(simulator), ...askedFor(cloud)])].sort()

describe('the settings table of README.md', () => {
  it('lists exactly the existing settings', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
    const [, section = ''] = readme.split('\n## Settings\n')
    const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((row) => row.startsWith('| `'))
    const named = rows.flatMap((row) => [...row.matchAll(/`([A-Z][A-Z_]+)(?:=\w+)?`/g)].map(([, name = '']) => name))
    expect([...new Set(named)].sort()).toEqual(settings)
  })
})

describe('deploy/env.example', () => {
  it('lists exactly the existing settings', () => {
    expect(lines.map(({ name }) => name).sort()).toEqual(settings)
  })

  it('starts with the values filled in as its comments say', () => {
    const given = Object.fromEntries(lines.filter((line) => !line.isOptional).map(({ name, value }) => [name, value]))
    const empty = Object.keys(given).filter((name) => given[name] === '')
    expect(empty).toEqual(['SECRET_KEY', 'WHATSAPP_TOKEN', 'WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_APP_SECRET'])
    expect(() => readConfig({ DATA_DIR: dataDir, ...given })).toThrow('WHATSAPP_TOKEN')
    const config = readConfig({
      ...given,
      DATA_DIR: dataDir,
      SECRET_KEY: 'Zk3mQ9rT1vX7yB5nD2hJ8pL4sW6cF0gA',
      WHATSAPP_TOKEN: 'Zk3mQ9rT1vX7yB5nD2hJ',
      WHATSAPP_PHONE_NUMBER_ID: '1234567890123',
      WHATSAPP_APP_SECRET: 'Zk3mQ9rT1vX7yB5nD2hJ8pL4sW6cF0gA',
    })
    expect([config.isSecure, config.simulator, config.seedDemo]).toEqual([true, false, false])
  })
})
