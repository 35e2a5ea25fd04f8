import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** An example: what is known of a text, and what it means. */
export interface Example {
  features: readonly string[]
  label: string
}

/** A classifier as it is stored. */
export interface Model {
  labels: readonly string[]
  /** Of the steps of the weights. */
  scale: number
  /** Half a byte for each, deflated, in base64. */
  weights: string
  /** Divides the scores, so that of what is 70 percent likely 70 percent are right. */
  temperature: number
}

export interface Likely {
  label: string
  /** 0 to 1. */
  probability: number
}

/** Places of the features, which are hashed: the model stays below 300 KB. */
const PLACES = 16_000
/** A weight is one of 15 steps. */
const MOST_STEPS = 7
/** Of the weights so many parts are clipped to the last step, so that the others have finer ones. */
const CLIPPED = 1 / 2_000
const ROUNDS = 12
const RATE = 0.4
/** The mean of the weights in the later rounds depends less on which example comes last. */
const FIRST_AVERAGED = 5
const EVERY = 100
/** Keeps the weights small, so that what was seen once proves little. */
const DECAY = 3e-5
/** Labels that are already this unlikely teach nothing. */
const SETTLED = 0.004
/** Of so many examples one is kept apart to measure how likely the likely is. */
const APART = 5
/** A prime: visits all examples, neighbours far from each other. */
const STRIDE = 7_919

/** FNV-1a. */
function placeOf(feature: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < feature.length; i += 1) hash = Math.imul(hash ^ feature.charCodeAt(i), 0x01000193)
  return (((hash >>> 13) ^ hash) >>> 0) % PLACES
}

const placesOf = (features: readonly string[]): Uint16Array => Uint16Array.from(new Set(features.map(placeOf)))

/**
 * Multinomial logistic regression over hashed features of equal value, by stochastic gradient descent (AdaGrad).
 * Deterministic: the order of the examples is that of a fixed permutation.
 */
export class Classifier {
  readonly #labels: readonly string[]
  /** The weights of all labels beside each other, place by place. */
  readonly #weights: Float32Array

  readonly #temperature: number

  private constructor(labels: readonly string[], weights: Float32Array, temperature: number) {
    this.#labels = labels
    this.#weights = weights
    this.#temperature = temperature
  }

  static learn(examples: readonly Example[], temperature = 1): Classifier {
    const labels = [...new Set(examples.map(({ label }) => label))]
    const made = new Classifier(labels, new Float32Array(PLACES * labels.length), temperature)
    made.#learnAll(examples)
    return made
  }

  /** The temperature at which examples that were not learnt from are the most likely. */
  static temperatureFor(examples: readonly Example[]): number {
    const isApart = (_: Example, i: number) => i % APART === 0
    const learnt = Classifier.learn(examples.filter((one, i) => !isApart(one, i)))
    const apart = examples.filter(isApart).map(({ features, label }) => ({ places: placesOf(features), label }))
    const lossAt = (temperature: number) =>
      apart.reduce((loss, { places, label }) => {
        const found = learnt.#probabilities(places, temperature)[learnt.#labels.indexOf(label)] ?? 0
        return loss - Math.log(Math.max(found, 1e-6))
      }, 0)
    const temperatures = Array.from({ length: 46 }, (_, i) => 0.5 + i / 20)
    return temperatures.reduce((best, one) => (lossAt(one) < lossAt(best) ? one : best))
  }

  static of({ labels, scale, weights, temperature }: Model): Classifier {
    const bytes = inflateRawSync(Buffer.from(weights, 'base64'))
    const all = new Float32Array(PLACES * labels.length)
    const stepIn = (half: number) => (half - MOST_STEPS) * scale
    for (const [i, byte] of bytes.entries())
      all.set([stepIn(byte >> 4), stepIn(byte & 15)].slice(0, all.length - 2 * i), 2 * i)
    return new Classifier(labels, all, temperature)
  }

  /** With half a byte for each weight. */
  toModel(): Model {
    const sizes = this.#weights.map(Math.abs).sort()
    const scale = (sizes.at(-Math.ceil(sizes.length * CLIPPED)) ?? 1) / MOST_STEPS
    const stepOf = (weight = 0) => Math.max(-MOST_STEPS, Math.min(MOST_STEPS, Math.round(weight / scale))) + MOST_STEPS
    const bytes = Uint8Array.from(
      { length: Math.ceil(sizes.length / 2) },
      (_, i) => (stepOf(this.#weights[2 * i]) << 4) | stepOf(this.#weights[2 * i + 1]),
    )
    return {
      labels: this.#labels,
      scale,
      temperature: this.#temperature,
      weights: deflateRawSync(bytes, { level: 9 }).toString('base64'),
    }
  }

  #learnAll(examples: readonly Example[]): void {
    const sums = new Float32Array(this.#weights.length).fill(1e-3)
    const seen = examples.map(({ features, label }) => ({
      places: placesOf(features),
      label: this.#labels.indexOf(label),
    }))
    const mean = new Float32Array(this.#weights.length)
    let count = 0
    for (let round = 0; round < ROUNDS; round += 1)
      for (let i = 0; i < seen.length; i += 1) {
        const example = seen[(i * STRIDE + round) % seen.length]
        if (example) this.#learn(example, sums)
        if (round >= FIRST_AVERAGED && (i + 1) % EVERY === 0) {
          for (let at = 0; at < mean.length; at += 1) mean[at] = (mean[at] ?? 0) + (this.#weights[at] ?? 0)
          count += 1
        }
      }
    this.#weights.set(mean.map((sum) => sum / count))
  }

  #learn({ places, label }: { places: Uint16Array; label: number }, sums: Float32Array): void {
    const likely = this.#probabilities(places)
    const value = 1 / Math.sqrt(places.length)
    const { length } = this.#labels
    for (let one = 0; one < length; one += 1) {
      const error = (likely[one] ?? 0) - (one === label ? 1 : 0)
      if (Math.abs(error) < SETTLED) continue
      const step = error * value
      for (const place of places) {
        const at = place * length + one
        const weight = this.#weights[at] ?? 0
        const gradient = step + DECAY * weight
        const sum = (sums[at] ?? 0) + gradient * gradient
        sums[at] = sum
        this.#weights[at] = weight - (RATE * gradient) / Math.sqrt(sum)
      }
    }
  }

  #probabilities(places: Uint16Array, temperature = 1): Float32Array {
    const { length } = this.#labels
    const scores = new Float32Array(length)
    for (const place of places) {
      const from = place * length
      for (let one = 0; one < length; one += 1) scores[one] = (scores[one] ?? 0) + (this.#weights[from + one] ?? 0)
    }
    const value = 1 / (Math.sqrt(places.length) * temperature)
    const most = Math.max(...scores) * value
    let total = 0
    for (let one = 0; one < length; one += 1) {
      const odds = Math.exp((scores[one] ?? 0) * value - most)
      scores[one] = odds
      total += odds
    }
    return scores.map((odds) => odds / total)
  }

  /** The most likely first. */
  likely(features: readonly string[]): Likely[] {
    const places = placesOf(features)
    if (places.length === 0) return []
    const found = this.#probabilities(places, this.#temperature)
    return this.#labels
      .map((label, i) => ({ label, probability: found[i] ?? 0 }))
      .sort((a, b) => b.probability - a.probability)
  }
}
