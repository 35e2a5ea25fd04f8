import { shownPicture } from '@qatra/contract/media'
import type { PictureState } from '@qatra/contract/products/fields'

/** Addresses that are waiting or have failed. */
export type OpenPictures = ReadonlyMap<string, NonNullable<PictureState>>

export function pictureStateOf(pictures: OpenPictures, address: string | null): PictureState {
  if (address === null || shownPicture(address) !== null) return null
  return pictures.get(address) ?? { state: 'waiting', problem: null }
}
