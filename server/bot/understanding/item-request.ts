import type { Lexeme } from './vocabulary.ts'

/**
 * Change by (`add`, `less`), change to (`set`), the whole line (`remove`), all other lines (`keep`), or not wanted
 * (`refuse`).
 */
export type Change = 'add' | 'less' | 'set' | 'remove' | 'keep' | 'refuse'

/** A requested item as written, before the catalogue is asked. */
export interface ItemRequest {
  change: Change
  /** A word of change was written: `زيد`, `make it`. Without one it is an order. */
  isExplicit: boolean
  vendorId: number | null
  /** By an alias that staff entered. */
  productId: number | null
  /** Lexemes `k:…`. */
  kinds: Lexeme[]
  /** In the format of `sizeKey`. */
  size: string | null
  relative: 'small' | 'large' | null
  quantity: number | null
  unit: 'pack' | 'bottle' | 'gallon' | null
  /** Of the bottles that come back: no empty ones are given for them, or one for each; null if not said. */
  empties: 'none' | 'all' | null
  /** Taken out or put in by an exchange. */
  swap: 'from' | 'to' | null
}

export const emptyRequest = (change: Change, isExplicit: boolean): ItemRequest => ({
  change,
  isExplicit,
  vendorId: null,
  productId: null,
  kinds: [],
  size: null,
  relative: null,
  quantity: null,
  unit: null,
  empties: null,
  swap: null,
})

/** A request while it is read. */
export interface Draft extends ItemRequest {
  /** `كرتون`, `a carton`: one, if no number is found. */
  isSingular: boolean
}

export const fresh = (change: Change, isExplicit: boolean): Draft => ({
  ...emptyRequest(change, isExplicit),
  isSingular: false,
})

/** Whether more than a number was said. */
export const namesProduct = (
  request: Pick<ItemRequest, 'vendorId' | 'productId' | 'size' | 'kinds' | 'relative'>,
): boolean =>
  request.vendorId !== null ||
  request.productId !== null ||
  request.size !== null ||
  request.kinds.length > 0 ||
  request.relative !== null
export const isEmpty = (request: Draft) =>
  !namesProduct(request) && request.quantity === null && request.unit === null && !request.isSingular
