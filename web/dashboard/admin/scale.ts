/** Even axis marks in whole numbers, from 0 or just below the smallest value to just above the largest. */
export function niceSteps(values: readonly number[]): number[] {
  const [smallest, largest] = [Math.min(0, ...values), Math.max(0, ...values)]
  const rough = Math.max(1, largest - smallest) / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 2.5, 4, 5, 10].find((one) => one * power >= rough) ?? 10
  const step = Math.max(1, Math.ceil(factor * power))
  const below = Math.ceil(-smallest / step)
  const above = Math.max(below === 0 ? 1 : 0, Math.ceil(largest / step))
  return Array.from({ length: below + above + 1 }, (_, index) => (index - below) * step)
}

/** Four even bands from 1 to the largest value; fewer if it is below 4. */
export function bandsUpTo(largest: number): { from: number; to: number }[] {
  const bands = Math.min(4, largest)
  return Array.from({ length: bands }, (_, index) => ({
    from: Math.floor((largest * index) / bands) + 1,
    to: Math.floor((largest * (index + 1)) / bands),
  }))
}
