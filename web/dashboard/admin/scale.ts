/** Three or four even axis marks from 0 to the largest value or just above it. */
export function niceSteps(largest: number): number[] {
  const rough = Math.max(1, largest) / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 2.5, 4, 5, 10].find((one) => one * power >= rough) ?? 10
  const step = Math.max(1, Math.ceil(factor * power))
  const count = Math.max(1, Math.ceil(largest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** Four even bands from 1 to the largest value; fewer if it is below 4. */
export function bandsUpTo(largest: number): { from: number; to: number }[] {
  const bands = Math.min(4, largest)
  return Array.from({ length: bands }, (_, index) => ({
    from: Math.floor((largest * index) / bands) + 1,
    to: Math.floor((largest * (index + 1)) / bands),
  }))
}
