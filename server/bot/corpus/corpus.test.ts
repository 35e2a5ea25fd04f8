import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { halfOf, judge, sentences } from '../../test/fixtures/bot-corpus.ts'
import { isModelCurrent } from '../understanding/learned.ts'
import { floors } from './floors.ts'

const outcomes = sentences().map(judge)
const groups = [...new Set(outcomes.map(({ sentence }) => sentence.group))]
const halves = ['tune', 'count'] as const

const scoreOf = (group: string | null, half: (typeof halves)[number]) => {
  const asked = outcomes.filter(
    ({ sentence }) => (group === null || sentence.group === group) && halfOf(sentence) === half,
  )
  return { asked: asked.length, right: asked.filter(({ isRight }) => isRight).length }
}
const percentOf = ({ asked, right }: { asked: number; right: number }) => Math.floor((right * 100) / asked)

it('is understood with a model of the examples as they are: run node server/bot/understanding/learn.ts', () => {
  expect(isModelCurrent()).toBe(true)
})

describe('the corpus of sentences', () => {
  it('has at least 420 sentences in three scripts, about half of which only count', () => {
    expect(outcomes.length).toBeGreaterThanOrEqual(420)
    const arabic = outcomes.filter(({ sentence }) => /\p{Script=Arabic}/u.test(sentence.text)).length
    expect(arabic).toBeGreaterThan(outcomes.length / 3)
    const counted = scoreOf(null, 'count').asked / outcomes.length
    expect(counted).toBeGreaterThan(0.4)
    expect(counted).toBeLessThan(0.6)
  })

  it.each(groups)('is understood at least as well as before: %s', (group) => {
    for (const half of halves)
      expect(percentOf(scoreOf(group, half)), half).toBeGreaterThanOrEqual(floors[group]?.[half] ?? 100)
  })

  it('is understood to 85 percent in the half that only counts', () => {
    const rows = [...groups, null].map((group) => ({
      group: group ?? 'all',
      ...Object.fromEntries(
        halves.map((half) => [half, `${scoreOf(group, half).right}/${scoreOf(group, half).asked}`]),
      ),
    }))
    console.table(rows)
    expect(percentOf(scoreOf(null, 'count'))).toBeGreaterThanOrEqual(85)
  })

  it('has the size and the scores that the README states', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')
    const [tune, count] = halves.map((half) => scoreOf(null, half))
    const harmful = outcomes.filter(({ isHarmful }) => isHarmful).length
    expect(readme).toContain(
      `(${outcomes.length} sentences in Arabic, Arabizi and English; half were tuned on, half only count): ` +
        `${tune?.right} of ${tune?.asked} and ${count?.right} of ${count?.asked} right, ` +
        `${harmful === 0 ? 'none' : harmful} carried out wrongly`,
    )
  })

  it('changes no cart, order, name or address silently and wrongly', () => {
    expect(
      outcomes.filter(({ isHarmful }) => isHarmful).map(({ sentence, found }) => `${sentence.text} → ${found}`),
    ).toEqual([])
  })
})
