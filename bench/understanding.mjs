import { judge, sentences } from '../server/test/fixtures/bot-corpus.ts'

/** Time in which one sentence of the corpus is understood. `node bench/understanding.mjs [rounds]` */
const rounds = Number(process.argv[2] ?? 20)
const WANTED_MS = 2

const all = sentences()
for (const sentence of all) judge(sentence)
const times = []
for (let round = 0; round < rounds; round += 1)
  for (const sentence of all) {
    const begun = performance.now()
    judge(sentence)
    times.push(performance.now() - begun)
  }
times.sort((a, b) => a - b)
const at = (part) => times[Math.floor(part * (times.length - 1))]
const shown = [0.5, 0.95, 0.99, 1].map((part) => `${part === 1 ? 'worst' : `p${part * 100}`} ${at(part).toFixed(2)} ms`)
console.log(`${all.length} sentences, ${rounds} times: ${shown.join(', ')}`)
if (at(0.99) > WANTED_MS) throw new Error(`p99 is more than ${WANTED_MS} ms`)
