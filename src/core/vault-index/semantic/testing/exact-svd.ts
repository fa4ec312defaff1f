/** Eigenvectors of the symmetric `matrix`, strongest first, by Jacobi rotations: slow, simple, and exact enough to judge by. */
export function eigenvectors(matrix: number[][]): number[][] {
  const size = matrix.length
  const a = matrix.map((row) => [...row])
  const vectors: number[][] = a.map((_, i) => a.map((_, j) => (i === j ? 1 : 0)))
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        off += a[p][q] ** 2
        if (Math.abs(a[p][q]) < 1e-15) continue
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
        const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const cosine = 1 / Math.sqrt(tangent * tangent + 1)
        const sine = tangent * cosine
        for (let k = 0; k < size; k++) {
          ;[a[k][p], a[k][q]] = [cosine * a[k][p] - sine * a[k][q], sine * a[k][p] + cosine * a[k][q]]
        }
        for (let k = 0; k < size; k++) {
          ;[a[p][k], a[q][k]] = [cosine * a[p][k] - sine * a[q][k], sine * a[p][k] + cosine * a[q][k]]
          ;[vectors[k][p], vectors[k][q]] = [
            cosine * vectors[k][p] - sine * vectors[k][q],
            sine * vectors[k][p] + cosine * vectors[k][q],
          ]
        }
      }
    }
    if (off < 1e-24) break
  }
  const order = a.map((_, i) => i).sort((i, j) => a[j][j] - a[i][i])
  return order.map((column) => vectors.map((row) => row[column]))
}
