import type { TestShop } from './app.ts'

/** The value of a series as `/metrics` writes it, as `name{label="value"}`; null if it is not there. */
export async function seriesOf(shop: TestShop, series: string): Promise<number | null> {
  const { body } = await shop.visitor().send('GET', '/metrics')
  const line = String(body)
    .split('\n')
    .find((one) => one.startsWith(`${series} `))
  return line === undefined ? null : Number(line.slice(series.length + 1))
}

/** By how much series grow while `work` runs. The counters of a process go on from file to file. */
export async function growthOf(shop: TestShop, series: readonly string[], work: () => Promise<unknown>) {
  const read = async () => {
    const values: number[] = []
    for (const one of series) values.push((await seriesOf(shop, one)) ?? 0)
    return values
  }
  const before = await read()
  await work()
  const after = await read()
  return after.map((value, i) => value - (before[i] ?? 0))
}
