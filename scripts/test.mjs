import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ensureBuilt, ensureInstalled, main, node, Refusal, root, run, say, toolEnvironment } from './bootstrap.mjs'
import { chromiumPaths, installPackages, isProgram } from './packages.mjs'

const reports = join(root, 'test-results/reports')
/** Programs that the journeys need, with the Debian packages that contain them: all of them, and those of one project. */
const programs = { pdftotext: 'poppler-utils', chromium: 'chromium' }
const engines = {
  firefox: { 'firefox-esr': 'firefox-esr', Xvfb: 'xvfb', import: 'imagemagick' },
  webkitgtk: { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb', import: 'imagemagick' },
}

/**
 * npm test [-- --unit | --server | --browser] [more for the runner: a file, -t name …], or with --full (npm run test:full)
 * every case of every test, which files that are named have too. CI_SHARD=2/4 runs the second quarter of the full run.
 */
await main(async () => {
  const own = ['--unit', '--server', '--browser', '--full']
  const words = process.argv.slice(2)
  const chosen = words.find((word) => own.includes(word) && word !== '--full')
  const isFull = words.includes('--full')
  const shard = isFull && process.env.CI_SHARD ? [`--shard=${process.env.CI_SHARD}`] : []
  const passedOn = [...words.filter((word) => !own.includes(word)), ...shard]
  const isPart = passedOn.length > 0 || chosen === '--server'
  if (isFull || passedOn.some((word) => /\.test\b/.test(word))) process.env.FULL = 'on'
  await ensureInstalled({ tools: true })
  // Checked first, so that a missing browser is reported before the other tests run.
  const chromium = !chosen || chosen === '--browser' ? findChromium() : null
  if (chromium) ensurePrograms(process.env.FULL === 'on' ? passedOn : ['--project=ar-phone'])
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })

  const results = []
  const timed = isFull || isPart ? (_, work) => work() : withinBudget
  if (chosen !== '--browser') {
    const projects = chosen === '--server' ? ['--project', 'server'] : []
    results.push(await timed('tests', () => vitest([...projects, ...passedOn])))
    if (isInterrupted(results[0])) return results[0].code
  }
  if (chromium) {
    await ensureBuilt()
    results.push(await timed('journeys', () => playwright(chromium, passedOn)))
  }

  const sum = (key) => results.reduce((total, result) => total + result[key], 0)
  const isGood = results.every((result) => result.code === 0) && sum('failed') === 0 && sum('passed') > 0
  if (sum('passed') + sum('failed') === 0) say('No test ran.')
  for (const failure of results.flatMap((result) => result.failures)) say(`failed: ${failure}`)
  say(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
  return isGood ? 0 : 1
})

/** Runs a suite, prints its minutes, and adds a failure if it outgrew its line in test-budget.json. */
async function withinBudget(suite, work) {
  const before = shareOfProcessors()
  const begun = performance.now()
  const result = await work()
  const minutes = (performance.now() - begun) / 60_000
  // Beside other work a run takes longer by what it does not get.
  const quiet = minutes * Math.min(1, (before + shareOfProcessors()) / 2)
  const { [suite]: limit } = JSON.parse(readFileSync(join(root, 'test-budget.json'), 'utf8')).minutes
  say(`${suite}: ${minutes.toFixed(1)} minutes, ${quiet.toFixed(1)} on two quiet processors; the budget is ${limit}`)
  if (quiet <= limit) return result
  return { ...result, failed: result.failed + 1, failures: [...result.failures, `${suite} outgrew test-budget.json`] }
}

/** What two busy processes get of two processors: 1 on a quiet machine, about 0.5 beside two busy loops. */
function shareOfProcessors() {
  const busy = `const end = performance.now() + 500; while (performance.now() < end); const { user, system } = process.cpuUsage(); console.log(user + system)`
  const both = spawnSync('sh', ['-c', 'for i in 1 2; do "$0" -e "$1" & done; wait', node, busy], { encoding: 'utf8' })
  const used = both.stdout.trim().split('\n').map(Number)
  return used.reduce((sum, one) => sum + one, 0) / (used.length * 500_000)
}

/** Ended by a signal (128 + its number): nothing more is started. */
function isInterrupted({ code }) {
  return code > 128
}

async function vitest(args) {
  const report = join(reports, 'vitest.json')
  const code = await run(
    node,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...args,
    ],
    { ownGroup: true, env: toolEnvironment({ NODE_ENV: 'test' }) },
  )
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numTodoTests = 0,
    testResults = [],
  } = read(report)
  // A file that cannot be loaded or set up has no failed test, but it is one.
  const isBroken = (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')
  const brokenFiles = testResults.filter(isBroken).length
  const failures = testResults.flatMap((file) =>
    isBroken(file)
      ? [`${relative(root, file.name)}: ${inOneLine(file.message)}`]
      : file.assertionResults
          .filter((test) => test.status === 'failed')
          .map((test) => `${relative(root, file.name)} ${test.fullName}: ${inOneLine(test.failureMessages[0])}`),
  )
  return {
    code,
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles,
    skipped: numPendingTests + numTodoTests,
    failures,
  }
}

async function playwright(chromium, args) {
  const report = join(reports, 'playwright.json')
  const config = join(root, 'e2e/playwright.config.ts')
  if (!existsSync(config)) throw new Refusal(`${config} is missing: there are no browser tests to run.`)
  const code = await run(
    node,
    [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '-c', config, '--reporter=list,json', ...args],
    // Playwright ends its servers, which have groups of their own, for this signal alone.
    {
      ownGroup: true,
      stopWith: 'SIGINT',
      env: toolEnvironment({ CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
    },
  )
  const { stats: { expected = 0, unexpected = 0, skipped = 0 } = {}, suites = [] } = read(report)
  const failures = suites.flatMap(specsOf).flatMap(({ file, title, tests }) =>
    tests
      .filter((test) => test.status === 'unexpected')
      .map((test) => {
        const message = test.results.find((result) => result.error)?.error.message
        return `${file} ${title} (${test.projectName}): ${inOneLine(message)}`
      }),
  )
  return { code, passed: expected, failed: unexpected, skipped, failures }
}

function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]
}

/** The message on one line, without the stack; later lines contain the expected and actual values. */
function inOneLine(message = 'no message') {
  const lines = stripVTControlCharacters(message).split('\n')
  const messageLines = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('at '))
  return messageLines.join(' · ').slice(0, 1_000)
}

function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
}

function findChromium() {
  const find = () => [process.env.CHROMIUM, ...chromiumPaths].find((path) => path && existsSync(path))
  const found = find() ?? ((installPackages(['chromium-headless-shell']) || installPackages(['chromium'])) && find())
  if (found) return found
  throw new Refusal(
    'The browser tests need Chromium: install it (Debian: sudo apt-get install chromium-headless-shell), or set CHROMIUM to its path. ' +
      'Without a browser: npm test -- --unit',
  )
}

/** Installs the programs of the selected projects (default: all), or fails with the list of missing packages. */
function ensurePrograms(words) {
  const named = words.flatMap((word) => /^--project=(.*)/.exec(word)?.[1] ?? [])
  const chosen = Object.entries(engines).filter(([project]) => named.length === 0 || named.includes(project))
  const wanted = Object.entries(Object.assign({}, programs, ...chosen.map(([, needed]) => needed)))
  const missing = () => [...new Set(wanted.flatMap(([program, name]) => (isProgram(program) ? [] : [name])))]
  const before = missing()
  if (before.length === 0 || (installPackages(before) && missing().length === 0)) return
  throw new Refusal(
    `The journeys need ${before.join(', ')} (Debian: sudo apt-get install ${before.join(' ')}). ` +
      'Without a browser: npm test -- --unit; in Chromium alone: npm test -- --browser --project=ar-phone',
  )
}
