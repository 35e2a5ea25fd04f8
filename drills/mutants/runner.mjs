import { createVitest } from 'vitest/node'

/**
 * The process of a lane: runs named test files of the folder in which it was started, each time the parent sends them with
 * the path that changed, and answers with the outcome. One Vitest for all runs: transformed modules and the prepared
 * database stay. `projects` are those of the first run.
 */
let vitest = null

process.on('message', async ({ projects, changed, tests }) => {
  vitest ??= await createVitest('test', {
    root: process.cwd(),
    watch: false,
    bail: 1,
    maxWorkers: 2,
    // A slow machine is no proof; what hangs is ended by the parent.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: [],
    project: projects,
  })
  vitest.invalidateFile(changed)
  // Otherwise failures of former runs count towards `bail` and are in the results.
  vitest.state.filesMap.clear()
  vitest.state.idMap.clear()
  const specifications = await vitest.globTestSpecifications(tests)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  vitest.invalidateFile(changed)
  if (process.connected) process.send(outcomeOf(testModules, unhandledErrors))
})

process.on('disconnect', async () => {
  await vitest?.close()
  process.exit()
})

/** A run in which no test failed although a file did not load is not a proof. */
function outcomeOf(modules, errors) {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const failed = tests.find((test) => test.result().state === 'failed')
  if (failed) return { outcome: 'killed', by: failed.name, why: failed.result().errors[0]?.message }
  const problem = [...modules.flatMap((module) => module.errors()), ...errors][0]
  if (problem) return { outcome: 'broken', by: problem.message.split('\n', 1)[0] }
  return tests.some((test) => test.result().state === 'passed')
    ? { outcome: 'survived' }
    : { outcome: 'broken', by: 'no test ran' }
}
