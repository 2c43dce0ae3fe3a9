package chart

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

const (
	nameHeight  = 17  // height of a folder's name in pixels
	letterWidth = 6.7 // average width of a character in pixels
	lineHeight  = 15
)

// Leaf is a cell of a treemap.
type Leaf struct {
	Folder, Name string
	Title, Href  string // all its numbers in words; the list of its rows
	Note         string // second line, shown if it fits
	Size         float64
	Class        string // class of the style sheet: its tone
}

// Tree is a treemap of folders with their leaves, as the template draws it.
type Tree struct {
	Height  int
	Narrow  bool // for narrow windows
	Folders []TreeFolder
	Cells   []TreeCell
}

// TreeFolder is the name and outline of a folder.
type TreeFolder struct {
	Name                string // empty if it does not fit
	X, Y, Width, Height string
	TextY               string
}

// TreeCell is a leaf with its position. Texts that do not fit are empty.
type TreeCell struct {
	Leaf
	X, Y, Width, Height string
	Line1, Line2        string
	Y1, Y2              string
}

// box is a rectangle in pixels.
type box struct{ x, y, w, h float64 }

// Treemap lays out folders, and in each its leaves, the largest first. Width and height are those
// of the drawing in pixels. Horizontal positions in the result are per cent of the width.
func Treemap(leaves []Leaf, width, height int, narrow bool) Tree {
	t := Tree{Height: height, Narrow: narrow}
	type folder struct {
		name   string
		size   float64
		leaves []Leaf
	}
	var folders []*folder
	byName := map[string]*folder{}
	for _, leaf := range leaves {
		if leaf.Size <= 0 {
			continue
		}
		f := byName[leaf.Folder]
		if f == nil {
			f = &folder{name: leaf.Folder}
			byName[leaf.Folder] = f
			folders = append(folders, f)
		}
		f.size += leaf.Size
		f.leaves = append(f.leaves, leaf)
	}
	slices.SortStableFunc(folders, func(a, b *folder) int {
		return cmp.Or(-cmp.Compare(a.size, b.size), cmp.Compare(a.name, b.name))
	})
	sizes := make([]float64, len(folders))
	for i, f := range folders {
		sizes[i] = f.size
	}
	whole := box{0, 0, float64(width), float64(height)}
	for i, place := range squarify(sizes, whole) {
		f := folders[i]
		t.addFolder(f.name, f.leaves, place, whole)
	}
	return t
}

func (t *Tree) addFolder(name string, leaves []Leaf, place, whole box) {
	drawn := TreeFolder{
		X: pct(place.x / whole.w), Y: px(place.y), Width: pct(place.w / whole.w), Height: px(place.h), TextY: px(place.y + 13),
	}
	inner := place
	if fits(name, place.w) && place.h > 2*nameHeight {
		drawn.Name = name
		inner.y, inner.h = place.y+nameHeight, place.h-nameHeight
	}
	t.Folders = append(t.Folders, drawn)
	slices.SortStableFunc(leaves, func(a, b Leaf) int {
		return cmp.Or(-cmp.Compare(a.Size, b.Size), cmp.Compare(a.Name, b.Name))
	})
	sizes := make([]float64, len(leaves))
	for i, leaf := range leaves {
		sizes[i] = leaf.Size
	}
	for i, at := range squarify(sizes, inner) {
		cell := TreeCell{
			Leaf: leaves[i], X: pct(at.x / whole.w), Y: px(at.y), Width: pct(at.w / whole.w), Height: px(at.h),
			Y1: px(at.y + lineHeight), Y2: px(at.y + 2*lineHeight),
		}
		switch {
		case !fits(leaves[i].Name, at.w) || at.h < lineHeight+4:
			if fits(leaves[i].Note, at.w) && at.h >= lineHeight+4 {
				cell.Line1 = leaves[i].Note
			}
		case at.h >= 2*lineHeight+4 && fits(leaves[i].Note, at.w):
			cell.Line1, cell.Line2 = leaves[i].Name, leaves[i].Note
		default:
			cell.Line1 = leaves[i].Name
		}
		t.Cells = append(t.Cells, cell)
	}
}

// fits reports whether a line of text fits into width pixels.
func fits(line string, width float64) bool {
	return line != "" && float64(utf8.RuneCountInString(line))*letterWidth+10 <= width
}

// squarify fills the box with one rectangle for each size. The sizes must be in descending order.
// The areas are proportional to the sizes, and the rectangles are as close to squares as possible.
//
// It is the algorithm of Bruls, Huizing and van Wijk: a row along the shorter side takes rectangles
// as long as that improves its worst one.
func squarify(sizes []float64, in box) []box {
	total := 0.0
	for _, size := range sizes {
		total += size
	}
	scale := ratio(in.w*in.h, total)
	places := make([]box, 0, len(sizes))
	for at := 0; at < len(sizes); {
		side := min(in.w, in.h)
		sum, end := sizes[at]*scale, at+1
		for end < len(sizes) {
			next := sum + sizes[end]*scale
			if worst(sizes[at]*scale, sizes[end]*scale, next, side) > worst(sizes[at]*scale, sizes[end-1]*scale, sum, side) {
				break
			}
			sum, end = next, end+1
		}
		places = append(places, row(sizes[at:end], scale, sum, &in)...)
		at = end
	}
	return places
}

// worst returns the largest ratio of sides of the rectangles in a row, given its largest and
// smallest area and the sum of its areas.
func worst(largest, smallest, sum, side float64) float64 {
	return max(side*side*largest/(sum*sum), sum*sum/(side*side*smallest))
}

// row lays out a row along the shorter side of the box, and removes it from the box.
func row(sizes []float64, scale, sum float64, in *box) []box {
	places := make([]box, 0, len(sizes))
	if in.w >= in.h {
		width, y := ratio(sum, in.h), in.y
		for _, size := range sizes {
			h := ratio(size*scale, width)
			places = append(places, box{in.x, y, width, h})
			y += h
		}
		in.x, in.w = in.x+width, max(0, in.w-width)
		return places
	}
	height, x := ratio(sum, in.w), in.x
	for _, size := range sizes {
		w := ratio(size*scale, height)
		places = append(places, box{x, in.y, w, height})
		x += w
	}
	in.y, in.h = in.y+height, max(0, in.h-height)
	return places
}
