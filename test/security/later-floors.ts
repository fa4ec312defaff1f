/** Cases of front ends that are not here yet: other servers, the web page, the plugin. */
export const laterFloors = 'I05 I06 I07 M01 M02 M03'.split(' ')
