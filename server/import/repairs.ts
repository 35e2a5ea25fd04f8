import { westernDigits } from '@qatra/contract/lib/digits'
import type { ImportPlan, RepairAct } from '@qatra/contract/lib/upload'
import { shownText } from './cells.ts'
import type { RowFailure } from './problem.ts'

type Repair = ImportPlan['repairs'][number]

/** Longer texts are not mended by rule. */
const LONGEST = 200

/** The only number of a text; null without one, with several, and where it is negative: another number would be left. */
function onlyNumber(text: string): string | null {
  if (/^\s*[-−]/.test(text)) return null
  const numbers = westernDigits(text)
    .replaceAll('\u066b', '.')
    .match(/\d+(?:[.,]\d+)*/g)
  return numbers?.length === 1 ? (numbers[0] ?? null) : null
}

/** `1,500` as 1.500; null for any other text. */
function withPoint(text: string): string | null {
  const [, whole, fraction] = /^\D*(\d+)[,\u066c](\d{1,3})\D*$/.exec(westernDigits(text)) ?? []
  return whole === undefined ? null : `${whole}.${fraction}`
}

/** The text that replaces the cell; null if the repair does not apply to it. */
export function mended({ act, to }: Pick<Repair, 'act' | 'to'>, text: string): string | null {
  if (act === 'replace') return to ?? null
  if (act === 'clear') return ''
  if (act === 'skip' || text.length > LONGEST) return null
  return act === 'number' ? onlyNumber(text) : withPoint(text)
}

interface Refused {
  field: string
  problem: string
  /** As in the file. */
  text: string
}

/** The repair for a cell: one for its value before one for the problem. */
export function repairFor(repairs: readonly Repair[], { field, problem, text }: Refused): Repair | undefined {
  const fitting = repairs.filter((each) => each.field === field && each.problem === problem)
  return (
    fitting.find(({ act, value }) => act === 'replace' && value === shownText(text)) ??
    fitting.find(({ act }) => act !== 'replace' && act !== 'skip')
  )
}

/** The cells that repairs replace by their value, of a problem that shows only beside the other cells of the row. */
export const replacedCells = (failed: readonly RowFailure[], repairs: readonly Repair[]): ImportPlan['cells'] =>
  failed.flatMap(({ row, field, problem, value }) => {
    const repair = repairs.find(
      (each) => each.act === 'replace' && each.field === field && each.problem === problem && each.value === value,
    )
    return value === undefined || repair?.to === undefined ? [] : [{ row, field, value: repair.to }]
  })

const byRule = ['number', 'point', 'clear'] as const satisfies readonly RepairAct[]

/** The repairs that make a cell readable. */
export const repairsThat = (text: string, isReadable: (text: string) => boolean): RepairAct[] =>
  byRule.filter((act) => {
    const tried = mended({ act }, text)
    return tried !== null && isReadable(tried)
  })

/** Takes the failures of rows that are left out from the others. */
export function withoutSkipped(failed: readonly RowFailure[], repairs: readonly Repair[]) {
  const skips = new Set(repairs.flatMap(({ act, field, problem }) => (act === 'skip' ? [`${field} ${problem}`] : [])))
  const skipped = new Set(failed.filter(({ field, problem }) => skips.has(`${field} ${problem}`)).map(({ row }) => row))
  return { failed: failed.filter(({ row }) => !skipped.has(row)), skipped: skipped.size }
}

/** Rows and values that a group names. */
const MOST_NAMED = 20

/** Problems by field and kind, those of most rows first. */
export function groupProblems(failed: readonly RowFailure[]) {
  const groups = new Map<string, RowFailure[]>()
  for (const failure of failed) {
    const key = `${failure.field} ${failure.problem}`
    const group = groups.get(key)
    if (group) group.push(failure)
    else groups.set(key, [failure])
  }
  return [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .flatMap((group) => {
      const [first] = group
      if (!first) return []
      const counts = new Map<string, number>()
      for (const { value } of group) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
      const values = [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count)
      return [
        {
          field: first.field,
          problem: first.problem,
          reason: first.reason,
          count: group.length,
          rows: group.slice(0, MOST_NAMED).map(({ row }) => row),
          values: values.slice(0, MOST_NAMED),
          acts: byRule.filter((act) => group.some(({ acts }) => acts?.includes(act))),
        },
      ]
    })
}
