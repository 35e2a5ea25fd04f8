import { readFileSync } from 'node:fs'
import { judgeRow, type RowOutcome, rowsIn } from './fixtures/bot-rows.ts'

/**
 * npm run bot-score [-- file.json …] [-- --failures=5 --group=name]: plays whole conversations with the bot in a shop in
 * memory and counts outcomes by group. Without a file: the rows that were tuned on, then those that only count.
 */
const args = process.argv.slice(2)
const option = (name: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
const files = args.filter((arg) => !arg.startsWith('--'))
const known = ['tuned', 'counted', 'counted-3', 'counted-4', 'counted-8', 'counted-9'].map(
  (name) => new URL(`../bot/conversations/${name}.jsonl`, import.meta.url),
)
const shown = Number(option('failures') ?? 0)
const only = option('group')

for (const file of files.length > 0 ? files : known) {
  const rows = rowsIn(readFileSync(file, 'utf8'))
  const outcomes: RowOutcome[] = []
  for (const row of rows) if (only === undefined || row.group === only) outcomes.push(await judgeRow(row))
  const groups = [...new Set(outcomes.map(({ row }) => row.group))]
  const table = [...groups, null].map((group) => {
    const asked = outcomes.filter(({ row }) => group === null || row.group === group)
    return {
      group: group ?? 'all',
      rows: asked.length,
      right: asked.filter(({ isRight }) => isRight).length,
      harmful: asked.filter(({ isHarmful }) => isHarmful).length,
      ideal: asked.filter(({ isIdeal }) => isIdeal).length,
    }
  })
  console.log(String(file))
  console.table(table)
  for (const group of groups) {
    const wrong = outcomes.filter(({ row, isRight }) => row.group === group && !isRight)
    for (const { row, isHarmful, found } of wrong.slice(0, shown))
      console.log(`${isHarmful ? 'HARM ' : ''}${group} [${row.state}] ${JSON.stringify(row.say)}\n    ${found}`)
  }
}
