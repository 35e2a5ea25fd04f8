import { hundredsOf } from '@qatra/contract/places/block-hundreds'

/** A block as a customer of the demo typed it: a number of the area's hundred, not a looked-up block. */
export const demoBlock = (areaCode: string, i: number): string =>
  String((hundredsOf(areaCode)[0] ?? 2) * 100 + 2 + ((i * 7) % 40))
