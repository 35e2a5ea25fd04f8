import { fieldId } from './focus.ts'

/** The field that adds a product. */
export const adderId = fieldId('items')
