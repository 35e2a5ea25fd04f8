import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main, root, say } from '../scripts/bootstrap.mjs'
import { changedSince, openLane } from './mutants/lane.mjs'
import { operatorMutants } from './mutants/operators.mjs'

/**
 * Mutation testing: each mutant is a small fault in a rule, put into a copy of the sources; the tests nearest to it must
 * fail. `drills/mutants/<subject>.json` has them: a sentence that says what the faulty product does, the file, the text that
 * occurs once in it, its replacement, and the tests. The subject `operators` is made of exchanged operators.
 *
 * `node drills/mutants.mjs [subjects or parts of names …] [--since <commit>] [--lanes 2] [--faults 2] [--check]`:
 * `--since` takes the mutants whose file or tests changed since, `--lanes` so many run at once, `--faults` operators are
 * exchanged in each module, `--check` only proves that each can be put in.
 */
/** Some exchanged operators change nothing that can be seen. */
const OPERATORS_KILLED = 0.85

await main(async () => {
  const { parts, options } = wordsOf(process.argv.slice(2))
  const all = [...listMutants(), ...operatorMutants(root, Number(options.faults ?? 2))]
  const misplaced = all.flatMap((mutant) => problemOf(mutant) ?? [])
  for (const problem of misplaced) say(`cannot be applied: ${problem}`)
  const changed = options.since === undefined ? null : changedSince(root, options.since)
  const chosen = all.filter(
    ({ name, subject, file, tests }) =>
      (parts.length === 0 || parts.some((part) => name.includes(part) || subject === part)) &&
      (!changed || [file, ...tests].some((path) => changed.has(path))),
  )
  if ('check' in options) {
    say(`${all.length} mutants, ${misplaced.length} cannot be applied`)
    return misplaced.length === 0 ? 0 : 1
  }

  const queue = chosen.filter((mutant) => problemOf(mutant) === null)
  const tried = queue.length
  const operators = { tried: queue.filter(({ subject }) => subject === 'operators').length, survived: 0, broken: 0 }
  const outcomes = { killed: 0, survived: 0, broken: 0 }
  const folder = mkdtempSync(join(tmpdir(), 'qatra-mutants-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const work = async (number) => {
    if (queue.length === 0) return
    const lane = await openLane(root, join(folder, String(number)))
    let isProven = false
    let last = null
    const control = async () => {
      const { outcome, by } = await lane.control(last)
      if (outcome !== 'survived') throw new Error(`without the fault "${last.name}" the tests fail, too: ${by}`)
    }
    try {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const { outcome, seconds, by, why } = await lane.try(mutant)
        if (outcome === 'killed') {
          last = mutant
          // What hangs may be the machine.
          if (!isProven || by === 'hangs') await control()
          isProven = true
        }
        outcomes[outcome] += 1
        if (mutant.subject === 'operators' && outcome !== 'killed') operators[outcome] += 1
        say(
          `${outcome.padEnd(8)} ${String(seconds).padStart(4)} s  ${mutant.subject}: ${mutant.name}${by ? ` (${by}${why ? `: ${why.split('\n', 1)[0].slice(0, 100)}` : ''})` : ''}`,
        )
      }
      if (last) await control()
    } finally {
      await lane.close()
    }
  }
  await Promise.all(Array.from({ length: Number(options.lanes ?? 1) }, (_, n) => work(n)))
  say(JSON.stringify({ bench: 'mutants', tried, ...outcomes, misplaced: misplaced.length }))
  const isEnough = operators.survived <= operators.tried * (1 - OPERATORS_KILLED)
  // An exchanged operator may keep a module from loading, which no run overlooks.
  const isEachKilled =
    outcomes.survived === operators.survived && outcomes.broken === operators.broken && misplaced.length === 0
  return isEnough && isEachKilled ? 0 : 1
})

function wordsOf(words) {
  const options = {}
  const parts = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    if (word === '--check') options.check = true
    else if (word.startsWith('--')) options[word.slice(2)] = words[++at]
    else parts.push(word)
  }
  return { parts, options }
}

function listMutants() {
  const folder = join(root, 'drills/mutants')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const subject = name.replace('.json', '')
      return JSON.parse(readFileSync(join(folder, name), 'utf8')).map((mutant) => ({ ...mutant, subject }))
    })
}

/** Why a mutant cannot be put in; null if it can. */
function problemOf({ name, file, find, replace, at }) {
  const text = readFileSync(join(root, file), 'utf8')
  const found = at === undefined ? text.split(find).length - 1 : 1
  if (found !== 1) return `${name}: its text occurs ${found} times in ${file}`
  return find === replace ? `${name}: it changes nothing` : null
}
