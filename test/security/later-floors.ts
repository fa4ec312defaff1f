/** Cases of front ends that are not here yet: servers, the web page, the plugin. */
export const laterFloors = 'I05 I06 I07 E01 A02 H01 H02 H03 H04 H05 H06 M01 M02 M03 M04 X01'.split(' ')
