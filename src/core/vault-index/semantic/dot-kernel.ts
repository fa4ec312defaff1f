/** The sum of products of `query` with the vector that starts at `vectors[at]`. */
export function dot(query: Int8Array, vectors: Int8Array, at: number): number {
  let sum = 0
  for (let i = 0; i < query.length; i++) sum = (sum + Math.imul(query[i], vectors[at + i])) | 0
  return sum
}

/** The products of `query` with every vector, one after the other, into `products`. */
export function scan(query: Int8Array, vectors: Int8Array, products: Int32Array): void {
  for (let i = 0; i < products.length; i++) products[i] = dot(query, vectors, i * query.length)
}
