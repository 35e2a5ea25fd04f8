import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'

const root = join(import.meta.dirname, '../../..')
const monitoring = (name: string) => readFileSync(join(root, 'deploy/monitoring', name), 'utf8')
const rules = monitoring('rules.yml')
const alertNames = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

describe('the rules of Prometheus', () => {
  it('and the dashboard use only metrics that the server has', async () => {
    const { body } = await (await startShop()).visitor().send('GET', '/metrics')
    const served = new Set([...String(body).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
    const used = (text: string) =>
      [...text.matchAll(/\b(?:qatra|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))
    const dashboard = [...monitoring('dashboard.json').matchAll(/"expr": "(.+)"/g)].map(([, text = '']) => text)
    const names = [...used(rules), ...dashboard.flatMap(used)]
    expect(names.length).toBeGreaterThan(40)
    expect(names.filter((name) => !served.has(name))).toEqual([])
  })

  it('have a test and a line in the operations manual for each alert', () => {
    const manual = readFileSync(join(root, 'docs/operations.md'), 'utf8')
    const inManual = [...manual.matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(([, name = '']) => name)
    const inTests = [...monitoring('rules.test.yml').matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name)
    expect(alertNames.length).toBeGreaterThan(10)
    expect(inManual.toSorted()).toEqual(alertNames.toSorted())
    expect([...new Set(inTests)].toSorted()).toEqual(alertNames.toSorted())
  })
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

describe.skipIf(!hasPromtool)('tests of the rules (promtool)', () => {
  /** Alerts that the tests expect and that other rules do not raise. */
  function missedWith(changed: string) {
    const folder = mkdtempSync(join(tmpdir(), 'qatra-rules-'))
    writeFileSync(join(folder, 'rules.yml'), changed)
    writeFileSync(join(folder, 'rules.test.yml'), monitoring('rules.test.yml'))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'rules.test.yml'], { cwd: folder })
    rmSync(folder, { recursive: true })
    const namesIn = (list: string) => [...list.matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name)
    const missed = [...`${stdout}${stderr}`.matchAll(/exp: (.*)\n +got: (.*)/g)].flatMap(([, wanted = '', got = '']) =>
      namesIn(wanted).filter((name) => !namesIn(got).includes(name)),
    )
    return { status, missed: new Set(missed) }
  }

  it('pass', () => {
    expect(missedWith(rules)).toEqual({ status: 0, missed: new Set() })
  })

  // One run for the changes of all alerts: a test reports its own alert's name, and no alert depends on another.
  const withChanges = (names: string[], change: (text: string, alert: string) => string) =>
    names.reduce((text, alert) => {
      const changed = change(text, alert)
      expect(changed, alert).not.toBe(text)
      return changed
    }, rules)

  /** Of the named alert only, the first number after a comparison. */
  const withThreshold = (text: string, alert: string, change: (threshold: number) => number) =>
    text.replace(new RegExp(`(- alert: ${alert}\\n[^]*?[<>=] )(\\d[\\d.]*)`), (_, before: string, number: string) => {
      return before + String(change(Number(number)))
    })

  it('fail for each alert whose threshold is far too high, or that compares nothing with the past', () => {
    const changed = withChanges(alertNames, (text, alert) =>
      alert === 'StandbyLost'
        ? text.replace('max_over_time(qatra_replication_standbys[1d])', 'qatra_replication_standbys')
        : withThreshold(text, alert, (threshold) => (threshold === 0 ? 1e6 : threshold * 1000)),
    )
    expect(missedWith(changed)).toEqual({ status: 1, missed: new Set(alertNames) })
  })

  it('fail for each alert that fires only after an hour', () => {
    const waiting = alertNames.filter((name) =>
      /^ +for: /m.test(rules.split(`- alert: ${name}\n`)[1]?.split('- alert:')[0] ?? ''),
    )
    const changed = withChanges(waiting, (text, alert) =>
      text.replace(new RegExp(`(- alert: ${alert}\\n[^]*?\\n +for: )\\S+`), (_, before: string) => `${before}60m`),
    )
    expect(waiting.length).toBeGreaterThan(10)
    expect(missedWith(changed)).toEqual({ status: 1, missed: new Set(waiting) })
  })
})
