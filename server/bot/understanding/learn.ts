import { writeFileSync } from 'node:fs'
import { learnModel } from './learned.ts'

/** Writes model.json. Run it after a change of the examples, the vocabulary or the rules. */
writeFileSync(new URL('model.json', import.meta.url), `${JSON.stringify(learnModel())}\n`)
